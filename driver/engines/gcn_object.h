// SPDX-License-Identifier: Apache-2.0
// Code objects as input, ours or another compiler's: their metadata say what a kernel takes.
#pragma once

#include <expected>
#include <string_view>

#include "driver/session.h"

namespace kc {

/// Whether these are the bytes of an object file rather than source.
bool is_object_file(std::string_view bytes);

/// A session whose program is the object itself, for engines that run gfx9 code. Its kernel is a signature:
/// parameters without instructions.
std::expected<Session, DriverError> open_object_session(const Options& options, std::string_view bytes);

}  // namespace kc
