// SPDX-License-Identifier: Apache-2.0
// The JSON form of every dialect, for passes in other languages. docs/ir-json.md describes it. It holds what
// the text form (ir/text.h) holds: print(read_json(write_json(m))) equals print(m).
#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "ir/function.h"
#include "ir/text.h"
#include "ir/verify.h"

namespace kc {

/// The version of the form; a document states it.
inline constexpr int kJsonVersion = 1;
/// What a document may have: bytes, and arrays and objects inside each other.
inline constexpr size_t kMaxJson = size_t{64} << 20;
inline constexpr size_t kMaxJsonDepth = 32;

/// One instruction per line; the last byte is a newline. Bytes that are not UTF-8 become private characters.
std::string write_json(const Module& module);
/// A document with this function alone.
std::string write_json(const Function& f);

/// Whether the text begins like an object of JSON; neither IR text nor kernel source does.
bool looks_like_json(std::string_view text);

/// Reads a document. Checks only syntax, names and types; the verifier checks the rest. The message of an
/// error ends with its place as a JSON pointer (RFC 6901).
std::expected<Module, TextError> read_json(std::string_view text);

/// The error as "FILE:LINE:COLUMN: error: MESSAGE". The line of the text is left out: it may be all of it.
std::string render_json_error(const TextError& error, std::string_view file);

/// What the verifier says of function `index` of a document, with JSON pointers and lines.
std::string render_json_errors(const Function& f, size_t index, const std::vector<VerifyError>& errors,
                               std::string_view file, std::string_view text);

}  // namespace kc
