// SPDX-License-Identifier: Apache-2.0
#include "driver/remarks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <regex>

#include "driver/compiler.h"
#include "frontend/source/nearest_name.h"
#include "host/pass_list.h"

namespace kc {
namespace {

// Names of remarks that are not names of passes.
constexpr std::array<std::string_view, 6> kOtherRemarks{"inline",     "uniformity", "shape",
                                                        "reconverge", "regalloc",   "width"};

std::vector<std::string_view> remark_names() {
  std::vector<std::string_view> names = all_pass_names();
  names.insert(names.end(), kOtherRemarks.begin(), kOtherRemarks.end());
  return names;
}

}  // namespace

std::expected<std::shared_ptr<RemarkLog>, std::string> make_remark_log(const std::string& expression) {
  try {
    std::regex pattern(expression);
    const std::vector<std::string_view> names = remark_names();
    auto matches = [&](std::string_view n) { return std::regex_search(n.begin(), n.end(), pattern); };
    if (std::ranges::none_of(names, matches))
      return std::unexpected(fmt::format(
          "-Rpass={}: no remark has such a name{}; 'kernelc passes' lists the passes, and {} are others",
          expression, front::did_you_mean(front::nearest_name(expression, names)),
          fmt::join(kOtherRemarks, ", ")));
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
