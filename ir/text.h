// SPDX-License-Identifier: Apache-2.0
// The text form of every dialect. parse(print(f)) equals f; printing renumbers in layout order.
//
//   thread func @name(%0 out: ptr<global> of u32) kernel {
//     var $sum: i32
//     site 0: throw "int" !12:9
//   b0:
//     %1: i64 = global_id dim=0 !3:7
//     br -> b1(0:i32)
//   b1.loop(%2: i32):
//     ...
//   }
#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "ir/function.h"

namespace kc {

std::string print(const Module& module);
std::string print(const Function& f);
/// One instruction as in the function's text.
std::string print(const Function& f, InstId inst);
/// A value as printed as an operand.
std::string print_operand(const Function& f, ValueId value);
/// The file of a source location: `compiled`, or an included file.
std::string_view file_of(const Function& f, Loc loc, std::string_view compiled);
/// "line 12", or "line 12 of inc.h" for an included file.
std::string describe_line(const Function& f, Loc loc);
/// The control-flow graph in Graphviz syntax, one record per block.
std::string print_dot(const Function& f);

struct TextError {
  uint32_t line = 0, column = 0;
  std::string message;
  std::string render(std::string_view file, std::string_view text) const;
};
/// Parses a module. Checks only syntax and names; the verifier checks the rest.
std::expected<Module, TextError> parse_module(std::string_view text);

}  // namespace kc
