// SPDX-License-Identifier: Apache-2.0
// One request to the compiler, as JSON, and its answer: what the lab in the browser asks the WebAssembly
// module. web/wasm/README.md has the schema.
#pragma once

#include <string>
#include <string_view>

namespace kc {

/// Never fails: what is wrong with the request, or with what it asks for, is said in the answer.
std::string answer(std::string_view request);

/// The text of a file that the request being answered brings along; null if it brings none of that name.
const std::string* given_file(std::string_view name);

}  // namespace kc
