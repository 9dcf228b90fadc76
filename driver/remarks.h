// SPDX-License-Identifier: Apache-2.0
// -Rpass: what was said by the passes whose names match, and the source to show it in.
#pragma once

#include <expected>
#include <memory>
#include <string>
#include <vector>

#include "ir/remarks.h"

namespace kc {

struct Options;

struct RemarkLog {
  Remarks remarks;
  std::string file_name, source;   // the source is empty when IR was read
  std::vector<std::string> files;  // that were included
};

/// The error is what is wrong with the expression.
std::expected<std::shared_ptr<RemarkLog>, std::string> make_remark_log(const std::string& expression);

/// To standard error, once everything is done.
void print_remarks(const Options& options);

}  // namespace kc
