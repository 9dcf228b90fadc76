// SPDX-License-Identifier: Apache-2.0
#include "host/traps.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "host/elements.h"
#include "ir/text.h"

namespace kc {

namespace {

// Of the element outside, counted from the start of the object; negative before it.
int64_t index_of(const TrapReport& trap) {
  const auto offset = static_cast<int64_t>(trap.value), unit = int64_t{std::max(trap.site.unit, 1u)};
  return offset / unit - (offset % unit < 0);
}

// "store of 4 bytes to out[9]"
std::string describe_access(const TrapReport& trap) {
  const TrapSite& site = trap.site;
  if (site.object.empty()) return site.type + " outside every buffer";
  return fmt::format("{} {} {}[{}]", site.type, site.type.starts_with("load") ? "from" : "to", site.object,
                     index_of(trap));
}

}  // namespace

std::string format_trap_value(const TrapReport& trap) {
  if (trap.site.kind == TrapKind::OutOfBounds)
    return trap.site.object.empty() ? "" : fmt::format("{}", index_of(trap));
  struct Row {
    std::string_view name;
    ElementType type;
  };
  static constexpr Row rows[] = {
      {"bool", {Elem::I1, true}},    {"char", {Elem::I8, false}},   {"uchar", {Elem::I8, true}},
      {"short", {Elem::I16, false}}, {"ushort", {Elem::I16, true}}, {"int", {Elem::I32, false}},
      {"uint", {Elem::I32, true}},   {"long", {Elem::I64, false}},  {"ulong", {Elem::I64, true}},
      {"float", {Elem::F32, false}}, {"double", {Elem::F64, false}}};
  for (const Row& r : rows)
    if (r.name == trap.site.type) return format_element(r.type, trap.value);
  return fmt::format("{:#x}", trap.value);
}

std::string_view trap_name(TrapKind kind) {
  constexpr std::array<std::string_view, static_cast<size_t>(TrapKind::Count_)> names{
      "uncaught throw", "assert", "divergent barrier", "out of bounds"};
  return names[static_cast<size_t>(kind)];
}

std::string place_of(const TrapReport& trap, const Function& kernel, std::string_view compiled) {
  return fmt::format("{}:{}", file_of(kernel, trap.site.loc, compiled), trap.site.loc.line);
}

std::string describe(const TrapReport& trap, const Function& kernel) {
  const std::string& subject = trap.site.type;
  std::string what;
  switch (trap.site.kind) {
    case TrapKind::UncaughtThrow:
      what = fmt::format("uncaught throw of {} {}", subject, format_trap_value(trap));
      break;
    case TrapKind::Assert:
      what = subject.empty() ? "failed assert" : fmt::format("failed assert({})", subject);
      break;
    case TrapKind::OutOfBounds:
      what = "out of bounds: " + describe_access(trap);
      break;
    default:
      what = "divergent barrier: not all work-items of the group arrive at it";
  }
  const Loc loc = trap.site.loc;
  std::string where = loc.line ? " at " + describe_line(kernel, loc) : "";
  return fmt::format("kernel '{}': {}{} by work-item ({}, {}, {}); {} work-item{} trapped", kernel.name, what,
                     where, trap.global_id[0], trap.global_id[1], trap.global_id[2], trap.count,
                     trap.count == 1 ? "" : "s");
}

}  // namespace kc
