// SPDX-License-Identifier: Apache-2.0
// Names from other languages and from other versions of this one.
#pragma once
#include <string>
#include <string_view>

namespace kc::front {

/// This language's equivalent of a name of C, C++ or CUDA, or empty.
std::string_view hint_for(std::string_view name);

/// Whether the identifier has a meaning in C++ that it lacks in C.
bool is_cxx_word(std::string_view word);
std::string describe_cxx(std::string_view word);

/// The key under which an unknown type is reported once.
std::string type_key(std::string_view name);

struct MissingFeature {
  std::string_view name;  // "pipes"
  std::string_view verb;  // "are"
  std::string_view words, prefixes;
};
/// The missing language feature that a type, function or constant belongs to, or null.
const MissingFeature* missing_feature(std::string_view name);
/// "pipes ('read_pipe') are not part of this version of the language".
std::string describe_missing(const MissingFeature& feature, std::string_view name);

}  // namespace kc::front
