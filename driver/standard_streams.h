// SPDX-License-Identifier: Apache-2.0
// Standard output and standard error: what cannot be written is an error of the command.
#pragma once

namespace kc {

/// Closed standard streams become ones that cannot be written, so that no other file takes their numbers.
/// Called first in main.
void open_standard_streams();

/// Writes what is still buffered. The status to exit with: `status`, or ExitIo with a message if output was
/// lost and `status` is not a graver one. Called last, also by `leave`.
int close_standard_streams(int status);

}  // namespace kc
