// SPDX-License-Identifier: Apache-2.0
#include "driver/remarks.h"

#include <fmt/format.h>

#include <regex>

#include "driver/compiler.h"

namespace kc {

std::expected<std::shared_ptr<RemarkLog>, std::string> make_remark_log(const std::string& expression) {
  try {
    std::regex pattern(expression);
    auto wanted = [pattern](std::string_view pass) {
      return std::regex_search(pass.begin(), pass.end(), pattern);
    };
    return std::make_shared<RemarkLog>(Remarks(wanted));
  } catch (const std::regex_error&) {
    return std::unexpected(fmt::format("-Rpass={}: not a regular expression", expression));
  }
}

void print_remarks(const Options& o) {
  if (!o.remarks) return;
  FrontendOptions style = frontend_options(o);
  if (!o.remarks->file_name.empty()) style.file_name = o.remarks->file_name;
  std::vector<Remark> sorted = o.remarks->remarks.sorted();
  std::fputs(render_remarks(o.remarks->source, style, o.remarks->files, sorted).c_str(), stderr);
}

}  // namespace kc
