// SPDX-License-Identifier: Apache-2.0
#include "sim/warp/trace.h"

#include <fmt/format.h>

#include <algorithm>

namespace kc {
namespace {

constexpr std::string_view kMagic = "kctr";
constexpr char kVersion = 2;
constexpr size_t kPiece = 64 * 1024;
constexpr uint64_t kMostTracedLanes = 1 << 24;

// First number of an event. Blocks are kFirstBlock + 2 * index, plus one if the lanes are those of the
// previous event.
constexpr uint64_t kEnd = 0, kWarp = 1, kFirstBlock = 2;

std::unexpected<std::string> broken(std::string_view what, size_t at) {
  return std::unexpected(fmt::format("{} at byte {}", what, at));
}

}  // namespace

TraceWriter::TraceWriter(const Function& f, std::string_view scheme, uint64_t width, const Sink& sink)
    : sink_(sink), index_(f.block_count(), 0) {
  bytes_ = kMagic;
  bytes_ += kVersion;
  text(f.name);
  text(scheme);
  number(width);
  number(f.files.size());
  for (const std::string& file : f.files) text(file);
  number(f.layout.size());
  for (uint32_t i = 0; i < f.layout.size(); ++i) {
    const Block& b = f.block(f.layout[i]);
    index_[f.layout[i].index] = i;
    auto placed = std::ranges::find_if(b.insts, [&](InstId id) { return f.inst(id).loc.line != 0; });
    const Loc loc = placed == b.insts.end() ? Loc() : f.inst(*placed).loc;
    text(b.hint.empty() ? fmt::format("b{}", i) : fmt::format("b{}.{}", i, b.hint));
    number(loc.file);
    number(loc.line);
  }
}

// Seven bits per byte, the lowest first; the highest bit of the last byte is clear.
void TraceWriter::number(uint64_t n) {
  for (; n >= 0x80; n >>= 7) bytes_ += static_cast<char>(n | 0x80);
  bytes_ += static_cast<char>(n);
}

void TraceWriter::text(std::string_view s) {
  number(s.size());
  bytes_ += s;
}

void TraceWriter::block(uint64_t warp, BlockId block, const LaneSet& lanes) {
  if (warp != warp_) {
    number(kWarp);
    number(warp);
    warp_ = warp;
  }
  bool same = lanes == lanes_;
  number(kFirstBlock + 2 * uint64_t{index_[block.index]} + same);
  ++events_;
  if (same) return flush(kPiece);
  // A number with as many bits as lanes.
  char byte = 0;
  uint32_t first = 0;  // lane of the byte's lowest bit
  for (uint32_t l : lanes) {
    for (; l >= first + 7; first += 7) bytes_ += static_cast<char>(byte | 0x80), byte = 0;
    byte = static_cast<char>(byte | 1 << (l - first));
  }
  bytes_ += byte;
  lanes_ = lanes;
  flush(kPiece);
}

void TraceWriter::finish() {
  number(kEnd);
  number(events_);
  flush(0);
}

void TraceWriter::flush(size_t limit) {
  if (bytes_.size() <= limit) return;
  sink_(bytes_);
  bytes_.clear();
}

std::expected<TraceReader, std::string> TraceReader::open(std::string_view bytes) {
  TraceReader r(bytes);
  if (!bytes.starts_with(kMagic)) return std::unexpected("it is no trace");
  if (bytes.size() <= kMagic.size()) return broken("the trace ends", bytes.size());
  if (bytes[kMagic.size()] != kVersion)
    return std::unexpected(fmt::format("it is a trace of version {}, this command reads version {}",
                                       static_cast<unsigned char>(bytes[kMagic.size()]), int{kVersion}));
  r.at_ = kMagic.size() + 1;
  if (auto ok = r.read_header(); !ok) return std::unexpected(ok.error());
  return r;
}

std::expected<void, std::string> TraceReader::read_header() {
  uint64_t files = 0, blocks = 0, file = 0, line = 0;
  if (!text(header_.kernel) || !text(header_.scheme) || !number(header_.width))
    return broken("the header is broken", at_);
  if (header_.width == 0 || header_.width > kMostTracedLanes) return broken("no warp is that wide", at_);
  // Each takes at least one byte.
  if (!number(files) || files > bytes_.size() - at_) return broken("the header is broken", at_);
  while (header_.files.size() < files)
    if (!text(header_.files.emplace_back())) return broken("the header is broken", at_);
  // Each takes at least three bytes.
  if (!number(blocks) || blocks > (bytes_.size() - at_) / 3) return broken("the header is broken", at_);
  for (uint64_t i = 0; i < blocks; ++i) {
    TraceBlock& b = header_.blocks.emplace_back();
    if (!text(b.label) || !number(file) || file > files || !number(line) || line > UINT32_MAX)
      return broken("the header is broken", at_);
    b.file = static_cast<uint32_t>(file), b.line = static_cast<uint32_t>(line);
    header_.place_width = std::max(header_.place_width, header_.place(b).size());
  }
  return {};
}

bool TraceReader::number(uint64_t& n) {
  n = 0;
  for (unsigned shift = 0; at_ < bytes_.size() && shift < 64; shift += 7) {
    auto byte = static_cast<unsigned char>(bytes_[at_++]);
    if (shift == 63 && byte > 1) return false;
    n |= uint64_t{byte & 0x7fu} << shift;
    if (byte < 0x80) return true;
  }
  return false;
}

bool TraceReader::text(std::string& s) {
  uint64_t size = 0;
  if (!number(size) || size > bytes_.size() - at_) return false;
  s = bytes_.substr(at_, size);
  at_ += size;
  return true;
}

bool TraceReader::lanes(LaneSet& set) {
  set.clear();
  for (uint32_t first = 0; at_ < bytes_.size() && first < header_.width + 7; first += 7) {
    auto byte = static_cast<unsigned char>(bytes_[at_++]);
    for (uint32_t bit = 0; bit < 7; ++bit)
      if (byte >> bit & 1) set.push_back(first + bit);
    if (byte < 0x80) return set.empty() || set.back() < header_.width;
  }
  return false;
}

std::expected<bool, std::string> TraceReader::next(TraceEvent& event) {
  uint64_t key = 0;
  while (number(key)) {
    if (key == kEnd) {
      uint64_t events = 0;
      if (!number(events) || events != events_ || at_ != bytes_.size())
        return broken("the end does not fit what comes before", at_);
      return false;
    }
    if (key == kWarp) {
      if (!number(event.warp)) break;
      continue;
    }
    if ((key - kFirstBlock) / 2 >= header_.blocks.size()) return broken("a block that does not exist", at_);
    event.block = static_cast<uint32_t>((key - kFirstBlock) / 2);
    if (!(key & 1) && !lanes(event.lanes)) return broken("lanes that do not exist", at_);
    ++events_;
    return true;
  }
  return broken("the trace ends", at_);
}

std::string TraceHeader::place(const TraceBlock& block) const {
  constexpr size_t kLongestName = 40;
  if (block.line == 0) return "-";
  if (block.file == 0) return fmt::format("{}", block.line);
  std::string_view name = files[block.file - 1];
  const bool cut = name.size() > kLongestName;
  if (cut) name = name.substr(name.size() - kLongestName);
  return fmt::format("{}{}:{}", cut ? "..." : "", name, block.line);
}

std::string render_head(const TraceHeader& header) {
  return fmt::format("{}, {}, {} lanes\n{:<20} {:>{}}  lanes", header.kernel, header.scheme, header.width,
                     "block", "line", header.place_width);
}

std::string render(const TraceHeader& header, const TraceEvent& event) {
  constexpr uint64_t kDrawn = 64;
  std::string picture(std::min(header.width, kDrawn), '.');
  for (uint32_t l : event.lanes)
    if (l < picture.size()) picture[l] = '#';
  const TraceBlock& b = header.blocks[event.block];
  return fmt::format("{:<20} {:>{}}  {}{} {}/{}", b.label, header.place(b), header.place_width, picture,
                     header.width > kDrawn ? "..." : "", event.lanes.size(), header.width);
}

}  // namespace kc
