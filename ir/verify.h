// SPDX-License-Identifier: Apache-2.0
// Checks a function against the opcode tables and the laws of its dialect.
#pragma once

#include <string>
#include <vector>

#include "ir/function.h"

namespace kc {

struct VerifyError {
  BlockId block;
  InstId inst;       // invalid when the block or the function as a whole is at fault
  std::string text;  // the guilty instruction as printed
  std::string message;
};
/// Empty when the function is well formed. At most 20 errors are collected.
std::vector<VerifyError> verify(const Function& f);
std::string render(const Function& f, const std::vector<VerifyError>& errors);
/// Stops the compiler with the errors when there are any; `where` names the pass to blame.
void verify_or_die(const Function& f, std::string_view where);

}  // namespace kc
