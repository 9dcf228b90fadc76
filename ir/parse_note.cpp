// SPDX-License-Identifier: Apache-2.0
#include "ir/parse_note.h"

#include <fmt/format.h>

#include "ir/parameters.h"

namespace kc {
namespace {

// The role after `hidden=`.
ParamInfo read_role(TextReader& in, Type type, std::span<const TargetNote::Argument> before) {
  const size_t where = in.position();
  const std::string_view word = in.word();
  const auto hidden = parse_role_word(word);
  if (!hidden)
    in.fail_at(where, fmt::format("'{}' is not the role of a hidden parameter (traps, constants, printf, "
                                  "size_N or mask)",
                                  word));
  if (std::string why = why_no_role(*hidden, type, before); !why.empty()) in.fail_at(where, std::move(why));
  return *hidden;
}

}  // namespace

ParamInfo read_parameter(TextReader& in, Type type, std::span<const TargetNote::Argument> before) {
  ParamInfo p;
  for (;;) {
    char c = in.peek();
    if (c == ',' || c == ')' || c == '\0') return p;
    if (in.try_word("of")) {
      if (TextReader::is_digit(in.peek()))
        p.pointee_size = in.small("size", UINT32_MAX - 1);
      else
        p.pointee = in.type().elem;
    } else if (in.try_word("unsigned")) {
      p.is_unsigned = true;
    } else if (in.try_word("half")) {
      p.is_half = true;
    } else if (in.try_word("const")) {
      p.is_const = true;
    } else if (in.try_word("restrict")) {
      p.is_restrict = true;
    } else if (in.try_word("hidden")) {
      if (in.try_punct("="))
        p = read_role(in, type, before);
      else if (type.is_mask())  // the only parameter of its type
        p = hidden_parameter(ParamRole::EntryMask);
      else if (p.name.empty())
        p.name = "hidden";
      else
        in.fail("expected '=' and the role of the hidden parameter");
    } else {
      if (!p.name.empty()) in.fail("expected ',' or ')'");
      p.name = in.word();
    }
  }
}

// target gfx900 after=machine_dce group_x=64
TargetNote read_target_note(TextReader& in, const std::function<ValueId(uint32_t)>& operand) {
  TargetNote note;
  note.name = in.word();
  for (;;) {
    // A word without `=` begins what follows the note.
    TextReader ahead = in;
    if (!TextReader::is_word(ahead.peek())) break;
    const std::string_view key = ahead.word();
    if (!ahead.try_punct("=")) break;
    in = ahead;
    if (key == "after")
      note.after = in.word();
    else
      note.settings.emplace_back(std::string(key), in.integer());
  }
  if (in.try_word("same_in_lanes")) {
    do note.same_in_lanes.push_back(operand(static_cast<uint32_t>(note.same_in_lanes.size())));
    while (in.try_punct(","));
  }
  if (!in.try_word("arguments")) return note;
  in.punct("(");
  while (in.peek() != ')') {
    if (!note.arguments.empty()) in.punct(",");
    const Type t = in.type();
    note.arguments.push_back({t, read_parameter(in, t, note.arguments)});
  }
  in.punct(")");
  return note;
}

}  // namespace kc
