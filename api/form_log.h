// SPDX-License-Identifier: Apache-2.0
// The log of forms, one line each, for people who ask with KERNELC_LOG why a kernel runs as it does.
#pragma once

#include <string>

namespace kc {

/// Whether KERNELC_LOG asked for it when the process first wanted to know.
bool logs_forms();
/// Writes `kernelc: LINE` to standard error or to the end of the file; from any thread.
void log_form(const std::string& line);

}  // namespace kc
