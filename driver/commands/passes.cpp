// SPDX-License-Identifier: Apache-2.0
// kernelc passes: the passes of all dialects, as --print-after, --stop-after and --passes name them.
#include <fmt/format.h>

#include <algorithm>

#include "driver/compiler.h"
#include "host/pass_list.h"
#include "passes/outside_pass.h"

namespace kc {

int command_passes(const Options&) {
  std::string text;
  size_t width = 0;
  for (const PassGroup& group : pass_groups())
    for (const PassInfo& pass : group.passes) width = std::max(width, pass.name.size());
  for (const PassGroup& group : pass_groups()) {
    text += fmt::format("{}{}:\n", text.empty() ? "" : "\n", group.dialect);
    for (const PassInfo& pass : group.passes)
      text +=
          fmt::format("  {:<{}}  {}{}\n", pass.name, width, pass.summary, pass.optional ? " (optional)" : "");
  }
  text += fmt::format("\nexec:COMMAND: {}\n", outside_pass_row().summary);
  auto written = write_output("-", text);
  return written ? ExitOk : report(written.error());
}

}  // namespace kc
