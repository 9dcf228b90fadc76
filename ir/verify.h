// SPDX-License-Identifier: Apache-2.0
// Checks a function against the opcode tables and the rules of its dialect.
#pragma once

#include <string>
#include <vector>

#include "ir/function.h"

namespace kc {

struct VerifyError {
  BlockId block;
  InstId inst;       // invalid if the error concerns a block or the whole function
  std::string text;  // the instruction as printed
  std::string message;
};
/// Empty if the function is well-formed. At most 20 errors are collected.
std::vector<VerifyError> verify(const Function& f);
std::string render(const Function& f, const std::vector<VerifyError>& errors);
/// Stops the compiler if there are errors; `where` names the responsible pass.
void verify_or_die(const Function& f, std::string_view where);

}  // namespace kc
