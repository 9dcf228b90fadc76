// SPDX-License-Identifier: Apache-2.0
// Kernel descriptors, metadata and segments of AMD code objects: the subset of ELF64 and MessagePack that
// they use (see LLVM's "User Guide for AMDGPU Backend"). The input is untrusted.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "backends/gcn/isa/table.h"
#include "sim/gcn/object.h"

namespace kc {
namespace {

constexpr uint64_t kMaxImage = uint64_t{1} << 26;

// All reads are checked; an out-of-range read sets `bad` and returns zeros.
struct Bytes {
  std::string_view data;
  mutable bool bad = false;

  template <typename T>
  T get(uint64_t offset) const {
    T value{};
    if (offset > data.size() || data.size() - offset < sizeof(T))
      bad = true;
    else
      std::memcpy(&value, data.data() + offset, sizeof(T));
    return value;
  }
  std::string_view sub(uint64_t offset, uint64_t size) const {
    if (offset > data.size() || data.size() - offset < size) return bad = true, std::string_view{};
    return data.substr(offset, size);
  }
  std::string_view c_string(uint64_t offset) const {
    if (offset >= data.size()) return {};
    std::string_view rest = data.substr(offset);
    size_t end = rest.find('\0');
    return end == std::string_view::npos ? std::string_view{} : rest.substr(0, end);
  }
};

// A MessagePack value, read big-endian. Depth and sizes are bounded by the length of the input.
struct MessagePackReader {
  Bytes in;
  uint64_t at = 0;
  int depth = 0;

  enum Kind : uint8_t { Other, Int, Text, Array, Map };
  struct Head {
    Kind kind = Other;
    uint64_t number = 0;  // value of an integer, length of other types
    std::string_view text;
  };
  bool ok() const { return !in.bad; }
  uint64_t big(unsigned bytes) {
    uint64_t v = 0;
    for (unsigned i = 0; i < bytes; ++i) v = v << 8 | in.get<uint8_t>(at++);
    return v;
  }
  Head text(uint64_t length) {
    std::string_view s = in.sub(at, length);
    at += ok() ? length : 0;
    return {Text, length, s};
  }
  Head head() {
    auto b = static_cast<uint8_t>(big(1));
    if (!ok()) return {};
    if (b < 0x80) return {Int, b, {}};
    if (b < 0x90) return {Map, b & 15u, {}};
    if (b < 0xa0) return {Array, b & 15u, {}};
    if (b < 0xc0) return text(b & 31u);
    if (b >= 0xe0) return {Int, static_cast<uint64_t>(static_cast<int8_t>(b)), {}};
    switch (b) {
      case 0xc4:
      case 0xc5:
      case 0xc6:  // binary
        return text(big(1u << (b - 0xc4)));
      case 0xca:
        return {Other, big(4), {}};
      case 0xcb:
        return {Other, big(8), {}};
      case 0xcc:
      case 0xcd:
      case 0xce:
      case 0xcf:
        return {Int, big(1u << (b - 0xcc)), {}};
      case 0xd0:
      case 0xd1:
      case 0xd2:
      case 0xd3:
        return {Int, big(1u << (b - 0xd0)), {}};
      case 0xd9:
      case 0xda:
      case 0xdb:
        return text(big(1u << (b - 0xd9)));
      case 0xdc:
      case 0xdd:
        return {Array, big(b == 0xdc ? 2 : 4), {}};
      case 0xde:
      case 0xdf:
        return {Map, big(b == 0xde ? 2 : 4), {}};
      case 0xc0:
      case 0xc2:
      case 0xc3:
        return {Other, b, {}};
      default:
        in.bad = true;
        return {};
    }
  }
  void skip() { skip(head()); }
  void skip(const Head& h) {
    if (h.kind != Array && h.kind != Map) return;
    if (++depth > 32) in.bad = true;
    uint64_t n = h.kind == Map ? 2 * h.number : h.number;
    for (uint64_t i = 0; i < n && ok(); ++i) skip();
    --depth;
  }
  // Calls f(key) for each entry of a map; f must consume the value.
  template <typename F>
  void map(F f) {
    Head h = head();
    if (h.kind != Map) return skip(h);
    for (uint64_t i = 0; i < h.number && ok(); ++i) {
      Head key = head();
      if (key.kind != Text) {
        in.bad = true;
        return;
      }
      f(key.text);
    }
  }
  template <typename F>
  void array(F f) {
    Head h = head();
    if (h.kind != Array) return skip(h);
    for (uint64_t i = 0; i < h.number && ok(); ++i) f();
  }
};

struct MetaKernel {
  std::string name, symbol;
  std::vector<GcnArg> args;
  std::array<uint32_t, 3> reqd_local{};
};

GcnArg read_argument(MessagePackReader& p) {
  GcnArg arg;
  p.map([&](std::string_view key) {
    MessagePackReader::Head h = p.head();
    if (key == ".offset") arg.offset = h.number;
    if (key == ".size") arg.size = h.number;
    if (key == ".value_kind") arg.kind = h.text;
    if (key == ".name") arg.name = h.text;
    if (key == ".type_name") arg.type_name = h.text;
    p.skip(h);
  });
  return arg;
}

bool read_metadata(std::string_view note, std::vector<MetaKernel>& kernels) {
  MessagePackReader p{Bytes{note}};
  p.map([&](std::string_view key) {
    if (key != "amdhsa.kernels") return p.skip();
    p.array([&] {
      MetaKernel k;
      p.map([&](std::string_view field) {
        if (field == ".name")
          k.name = p.head().text;
        else if (field == ".symbol")
          k.symbol = p.head().text;
        else if (field == ".args")
          p.array([&] { k.args.push_back(read_argument(p)); });
        else if (field == ".reqd_workgroup_size")
          p.array([&, d = size_t{0}]() mutable {
            MessagePackReader::Head h = p.head();
            if (d < 3) k.reqd_local[d++] = static_cast<uint32_t>(h.number);
            p.skip(h);
          });
        else
          p.skip();
      });
      kernels.push_back(std::move(k));
    });
  });
  return p.ok();
}

struct Section {
  uint32_t type = 0, link = 0;
  uint64_t offset = 0, size = 0, entry = 0;
};

class ElfReader {
 public:
  explicit ElfReader(std::string_view bytes) : in_{bytes} {}

  std::expected<ElfKernels, std::string> run() {
    if (in_.data.substr(0, 4) !=
        "\x7f"
        "ELF")
      return fail("not an ELF file");
    if (in_.get<uint8_t>(4) != 2 || in_.get<uint8_t>(5) != 1) return fail("not a 64-bit little-endian file");
    if (in_.get<uint16_t>(18) != 224) return fail("not for an AMD GPU");
    uint32_t machine = in_.get<uint32_t>(48) & 0xff;
    const gcn::MachineModel* model = gcn::find_emulated(machine);
    if (!model) return fail(fmt::format("not for {} (machine number {:#x})", gcn::emulated_names(), machine));
    ElfKernels result;
    result.model = model;
    if (auto why = segments(result)) return fail(*why);
    sections();
    if (in_.bad) return fail("section headers lie outside the file");
    std::vector<MetaKernel> meta;
    if (!notes(meta)) return fail("malformed metadata");
    symbols(result, meta);
    if (result.kernels.empty()) return fail("no kernel descriptor");
    if (in_.bad) return fail("truncated");
    return result;
  }

 private:
  static std::unexpected<std::string> fail(std::string_view why) {
    return std::unexpected(fmt::format("code object: {}", why));
  }

  std::optional<std::string> segments(ElfKernels& out) {
    uint64_t table = in_.get<uint64_t>(32);
    uint16_t size = in_.get<uint16_t>(54), count = in_.get<uint16_t>(56);
    for (uint16_t i = 0; i < count; ++i) {
      uint64_t at = table + uint64_t{size} * i;
      if (in_.get<uint32_t>(at) != 1) continue;  // PT_LOAD
      auto offset = in_.get<uint64_t>(at + 8), address = in_.get<uint64_t>(at + 16);
      auto in_file = in_.get<uint64_t>(at + 32), in_memory = in_.get<uint64_t>(at + 40);
      if (in_.bad) return "program headers lie outside the file";
      if (address > kMaxImage || in_memory > kMaxImage || in_file > in_memory) return "segment is too large";
      std::string_view bytes = in_.sub(offset, in_file);
      if (in_.bad) return "a segment lies outside the file";
      if (out.image.size() < address + in_memory) out.image.resize(address + in_memory);
      std::copy(bytes.begin(), bytes.end(), out.image.begin() + static_cast<ptrdiff_t>(address));
    }
    if (in_.bad) return "program headers lie outside the file";
    return std::nullopt;
  }

  void sections() {
    uint64_t table = in_.get<uint64_t>(40);
    uint16_t size = in_.get<uint16_t>(58), count = in_.get<uint16_t>(60);
    for (uint16_t i = 0; i < count && !in_.bad; ++i) {
      uint64_t at = table + uint64_t{size} * i;
      sections_.push_back({in_.get<uint32_t>(at + 4), in_.get<uint32_t>(at + 40), in_.get<uint64_t>(at + 24),
                           in_.get<uint64_t>(at + 32), in_.get<uint64_t>(at + 56)});
    }
  }

  bool notes(std::vector<MetaKernel>& meta) const {
    for (const Section& s : sections_) {
      if (s.type != 7) continue;  // SHT_NOTE
      Bytes notes{in_.sub(s.offset, s.size)};
      for (uint64_t at = 0; at + 12 <= notes.data.size() && !notes.bad;) {
        uint64_t name = notes.get<uint32_t>(at), size = notes.get<uint32_t>(at + 4);
        uint32_t type = notes.get<uint32_t>(at + 8);
        uint64_t body = at + 12 + (name + 3) / 4 * 4;
        std::string_view data = notes.sub(body, size);
        if (notes.bad) return false;
        if (type == 32 && notes.c_string(at + 12) == "AMDGPU" && !read_metadata(data, meta)) return false;
        at = body + (size + 3) / 4 * 4;
      }
    }
    return true;
  }

  void symbols(ElfKernels& out, const std::vector<MetaKernel>& meta) const {
    for (const Section& s : sections_) {
      if (s.type != 11 || s.link >= sections_.size()) continue;  // SHT_DYNSYM
      Bytes names{in_.sub(sections_[s.link].offset, sections_[s.link].size)};
      for (uint64_t at = s.offset; at + 24 <= s.offset + s.size && s.size <= in_.data.size(); at += 24) {
        std::string_view name = names.c_string(in_.get<uint32_t>(at));
        if (!name.ends_with(".kd")) continue;
        descriptor(out, name, in_.get<uint64_t>(at + 8), meta);
      }
    }
  }

  void descriptor(ElfKernels& out, std::string_view symbol, uint64_t address,
                  const std::vector<MetaKernel>& meta) const {
    Bytes image{{reinterpret_cast<const char*>(out.image.data()), out.image.size()}};
    if (image.sub(address, 64).empty()) {
      in_.bad = true;
      return;
    }
    GcnKernel k;
    k.name = symbol.substr(0, symbol.size() - 3);
    k.lds_bytes = image.get<uint32_t>(address);
    k.private_bytes = image.get<uint32_t>(address + 4);
    k.kernarg_bytes = image.get<uint32_t>(address + 8);
    k.rsrc1 = image.get<uint32_t>(address + 48);
    k.rsrc2 = image.get<uint32_t>(address + 52);
    k.properties = image.get<uint16_t>(address + 56);
    k.vgprs = std::min(((k.rsrc1 & 63) + 1) * (out.model->even_tuples ? 8 : 4), gcn::kVgprCount);
    k.sgprs = std::min(((((k.rsrc1 >> 6) & 15) / 2) + 1) * 16, 102u);
    for (const MetaKernel& m : meta)
      if (m.symbol == symbol) k.args = m.args, k.reqd_local = m.reqd_local;
    out.entry_pc.push_back(address + image.get<uint64_t>(address + 16));
    out.kernels.push_back(std::move(k));
  }

  Bytes in_;
  std::vector<Section> sections_;
};

}  // namespace

std::expected<ElfKernels, std::string> read_elf(std::string_view bytes) { return ElfReader(bytes).run(); }

}  // namespace kc
