// SPDX-License-Identifier: Apache-2.0
#include "frontend/source/source.h"

#include <algorithm>
#include <cstring>

namespace kc::front {

SourceFile::SourceFile(std::string name, std::string_view text) : name_(std::move(name)), text_(text) {
  if (text_.starts_with("\xEF\xBB\xBF")) text_.replace(0, 3, "   ");  // a byte order mark; columns stay
  // A carriage return alone ends a line, too.
  for (size_t at = 0; (at = text_.find('\r', at)) != std::string::npos; ++at)
    if (at + 1 == text_.size() || text_[at + 1] != '\n') text_[at] = '\n';
  line_starts_.push_back(0);
  const char *begin = text_.data(), *end = begin + text_.size();
  for (const char* at = begin; (at = static_cast<const char*>(std::memchr(at, '\n', end - at)));)
    line_starts_.push_back(static_cast<uint32_t>(++at - begin));
  if (text_.find('\\') != std::string::npos) splice();
}

void SourceFile::splice() {
  uint32_t removed = 0;
  for (size_t at = 0;;) {
    size_t backslash = std::min(text_.find('\\', at), text_.size());
    spliced_.append(text_, at, backslash - at);
    if (backslash == text_.size()) break;
    const size_t end = std::min(text_.find_first_not_of(" \t\v\f\r", backslash + 1), text_.size());
    if (end < text_.size() && text_[end] == '\n') {
      removed += static_cast<uint32_t>(end + 1 - backslash);
      splices_.push_back({static_cast<uint32_t>(spliced_.size()), removed});
      if (text_[backslash + 1] != '\n' && text_[backslash + 1] != '\r')
        blanks_.push_back(static_cast<uint32_t>(backslash));
      at = end + 1;
    } else {
      spliced_ += '\\';
      at = backslash + 1;
    }
  }
}

uint32_t SourceFile::original_offset(uint32_t spliced_offset) const {
  auto after = std::upper_bound(splices_.begin(), splices_.end(), spliced_offset,
                                [](uint32_t offset, const Splice& s) { return offset < s.at; });
  return after == splices_.begin() ? spliced_offset : spliced_offset + std::prev(after)->removed;
}

LineColumn SourceFile::line_column(uint32_t offset) const {
  offset = std::min<uint32_t>(offset, static_cast<uint32_t>(text_.size()));
  auto after = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
  uint32_t line = static_cast<uint32_t>(after - line_starts_.begin());
  return {line, offset - line_starts_[line - 1] + 1};
}

std::string_view SourceFile::line_text(uint32_t line) const {
  uint32_t begin = line_starts_[line - 1];
  size_t end = line < line_starts_.size() ? line_starts_[line] - 1 : text_.size();
  if (end > begin && text_[end - 1] == '\r') --end;
  return std::string_view(text_).substr(begin, end - begin);
}

// ---- construction ----

// Reserves one position more than the length, so that the end of a range belongs to the same text.
Position Sources::reserve(uint64_t length) {
  if (next_ + length + 1 >= NoPosition) return NoPosition;
  Position base = next_;
  next_ += static_cast<Position>(length + 1);
  return base;
}

Position Sources::add_file(std::shared_ptr<const SourceFile> file, Position included_at, bool from_options) {
  Position base = reserve(file->text().size());
  if (base == NoPosition) return NoPosition;
  regions_.push_back({.base = base, .from = static_cast<uint32_t>(readings_.size()), .use = {}});
  readings_.push_back({std::move(file), base, included_at, from_options, {}});
  return base;
}

void Sources::renumber(Position at, uint32_t line, std::string name) {
  Reading& r = readings_[region_of(at).from];
  uint32_t offset = at - r.base;
  int64_t added = static_cast<int64_t>(line) - r.file->line_column(offset).line - 1;
  if (name.empty() && !r.renumberings.empty()) name = r.renumberings.back().name;
  r.renumberings.push_back({offset, added, std::move(name)});
}

Position Sources::add_expansion(SourceRange body, Position name, SourceRange use) {
  const auto depth = static_cast<uint16_t>(region_of(use.begin).depth + 1);
  if (depth > MaxDepth) return NoPosition;
  Position base = reserve(body.end - body.begin);
  if (base == NoPosition) return base;
  regions_.push_back({.base = base,
                      .from = body.begin,
                      .use = use,
                      .name = name,
                      .place = in_file(use.begin),
                      .depth = depth,
                      .kind = RegionKind::Body});
  return base;
}

Position Sources::add_argument(SourceRange tokens, SourceRange parameter) {
  const uint16_t inner = std::max(region_of(tokens.begin).depth, region_of(parameter.begin).depth);
  const auto depth = static_cast<uint16_t>(inner + 1);
  if (depth > MaxDepth) return NoPosition;
  Position base = reserve(tokens.end - tokens.begin);
  if (base != NoPosition)
    regions_.push_back(
        {.base = base, .from = tokens.begin, .use = parameter, .depth = depth, .kind = RegionKind::Argument});
  return base;
}

// ---- queries ----

size_t Sources::region_index(Position p) const {
  if (p >= next_) return regions_.size() - 1;
  const auto advance = [&](size_t r, Position to) {
    while (r + 1 < regions_.size() && regions_[r + 1].base <= to) ++r;
    return r;
  };
  while (regions_at_.size() <= p / kStride)
    regions_at_.push_back(static_cast<uint32_t>(advance(
        regions_at_.empty() ? 0 : regions_at_.back(), static_cast<Position>(regions_at_.size() * kStride))));
  return advance(regions_at_[p / kStride], p);
}

Position Sources::end_of_text(Position p) const {
  const size_t next = region_index(p) + 1;
  return next == regions_.size() ? next_ : regions_[next].base;
}

Position Sources::in_file(Position p) const {
  for (;;) {
    const Region& r = region_of(p);
    if (r.kind == RegionKind::File) return p;
    if (r.kind == RegionKind::Body) return r.place;
    p = r.from + (p - r.base);
  }
}

Position Sources::end_in_file(Position p) const {
  for (;;) {
    const Region& r = region_of(p);
    if (r.kind == RegionKind::File) return p;
    p = r.kind == RegionKind::Body ? r.use.end : r.from + (p - r.base);
  }
}

const SourceFile& Sources::file(Position p) const { return *reading_of(p).file; }

uint32_t Sources::offset_in_file(Position p) const {
  p = in_file(p);
  return p - reading_of(p).base;
}

Sources::Place Sources::place(Position p) const {
  p = in_file(p);
  const Reading& r = readings_[region_of(p).from];
  const uint32_t offset = p - r.base;
  Place place{r.file->name(), r.file->line_column(offset)};
  auto after = std::upper_bound(r.renumberings.begin(), r.renumberings.end(), offset,
                                [](uint32_t at, const Renumbering& n) { return at < n.offset; });
  if (after == r.renumberings.begin()) return place;
  const Renumbering& n = *std::prev(after);
  place.at.line = static_cast<uint32_t>(place.at.line + n.added);
  if (!n.name.empty()) place.file = n.name;
  return place;
}

Sources::Stretch Sources::stretch_around(Position p) const {
  // How many positions before `p` and from it on.
  Position before = p, after = NoPosition - p;
  for (Position at = p;;) {
    const Region& region = region_of(at);
    before = std::min(before, at - region.base), after = std::min(after, end_of_text(at) - at);
    if (region.kind == RegionKind::Body) return {{p - before, p + after}, true};
    if (region.kind == RegionKind::File) {
      const SourceFile& file = *readings_[region.from].file;
      const LineColumn place = file.line_column(at - region.base);
      before = std::min(before, place.column - 1);
      after = std::min(after, file.line_length(place.line) - (place.column - 1));
      return {{p - before, p + after}, false};
    }
    at = region.from + (at - region.base);
  }
}

Position Sources::included_at(Position p) const { return reading_of(p).included_at; }

std::string_view Sources::spelling_from(Position p) const {
  const Region* r = &region_of(p);
  for (; r->kind != RegionKind::File; r = &region_of(p)) p = r->from + (p - r->base);
  std::string_view text = readings_[r->from].file->text();
  return text.substr(std::min<size_t>(p - r->base, text.size()));
}

// The position of `p` at the level of the expansion `level`, or NoPosition if `p` does not come from it.
Position Sources::up_to(Position p, const Region& level, bool is_end) const {
  for (;;) {
    const Region& r = region_of(p);
    if (&r == &level) return p;
    // An expansion is older than the expansions nested in it, so an older one cannot be nested.
    if (r.kind == RegionKind::File || r.base < level.base) return NoPosition;
    const Region& place = region_of(r.use.begin);
    if (r.kind == RegionKind::Argument && &place == &level) return is_end ? r.use.end : r.use.begin;
    if (r.kind == RegionKind::Argument)
      p = r.from + (p - r.base);
    else
      p = is_end ? r.use.end : r.use.begin;
  }
}

std::vector<Sources::MacroStep> Sources::macro_steps(Position caret, SourceRange range) const {
  std::vector<MacroStep> steps;
  for (;;) {
    const Region& r = region_of(caret);
    if (r.kind == RegionKind::File) break;
    bool argument = r.kind == RegionKind::Argument;
    Position here = argument ? r.use.begin : caret;
    const Region& body = region_of(here);
    if (body.kind == RegionKind::Body) {
      auto spelled = [&](Position p) { return body.from + (p - body.base); };
      Position from = up_to(range.begin, body, false), to = up_to(range.end, body, true);
      bool known = from != NoPosition && to != NoPosition && from <= here && here < to;
      const std::string_view name = spelling_from(body.name);
      size_t length = 0;
      auto in_name = [](char c) {
        return c == '_' || c == '$' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
               (c >= 'a' && c <= 'z');
      };
      while (length < name.size() && in_name(name[length])) ++length;
      steps.push_back({name.substr(0, length), spelled(here),
                       known ? SourceRange{spelled(from), spelled(to)} : SourceRange{}});
    }
    caret = argument ? r.from + (caret - r.base) : r.use.begin;
  }
  std::reverse(steps.begin(), steps.end());
  return steps;
}

std::vector<Position> Sources::reading_order(Position p) const {
  if (p == NoPosition) return {};
  std::vector<Position> chain;
  bool main = true;
  for (p = in_file(p); p != NoPosition;) {
    chain.push_back(p);
    const Reading& r = reading_of(p);
    main = !r.from_options;
    p = r.included_at;
  }
  chain.push_back(main);
  std::reverse(chain.begin(), chain.end());
  return chain;
}

}  // namespace kc::front
