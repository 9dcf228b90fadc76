// SPDX-License-Identifier: Apache-2.0
#include "host/traps.h"

#include <fmt/format.h>

#include <array>

#include "host/elements.h"
#include "ir/text.h"

namespace kc {

std::string format_trap_value(const TrapReport& trap) {
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
      what = fmt::format("{} outside every buffer", subject);
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
