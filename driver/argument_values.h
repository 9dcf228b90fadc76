// SPDX-License-Identifier: Apache-2.0
// The values that --arg gives: literals, buffers with fillers or from files, local memory.
#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "driver/arguments.h"

namespace kc {

/// The name of the type in the kernel language: int, uint, float ...
std::string language_name(ElementType type);

/// Its name in `TYPE[N]`: i32, u8, f32 ...
std::string short_name(ElementType type);

/// A decimal number without sign or suffix.
std::optional<uint64_t> parse_unsigned(std::string_view text);

/// The bits of a C literal, or of `true`, `false`, `inf` and `nan`, as the type; the error says why it is not
/// one of its values. Integers must be whole and in range. As in C, hexadecimal and octal literals of a
/// signed type may be the bits of a negative value, and an unsigned type takes the negative values of the
/// signed type of its width.
std::expected<uint64_t, std::string> parse_scalar(std::string_view text, ElementType type);

/// `TYPE[N]`, `TYPE[N]:FILLER`, `@FILE` or `TYPE[N]@FILE` for a parameter that points to global or constant
/// memory. Errors of files have ExitIo, others ExitUsage.
std::expected<BufferArg, DriverError> make_buffer(const ParamInfo& param, std::string_view spec);

/// Whether a buffer that exists can be given to the parameter.
std::expected<void, DriverError> check_buffer(const ParamInfo& param, const BufferArg& buffer);

/// The bytes that `TYPE[N]` or a number of bytes gives a parameter that points to local memory.
std::expected<uint64_t, DriverError> local_size(const ParamInfo& param, std::string_view spec);

}  // namespace kc
