// SPDX-License-Identifier: Apache-2.0
// Words that programs bring along from other languages and other versions of this one.
#pragma once
#include <string>
#include <string_view>

namespace kc::front {

/// What this language has in place of a name of C, C++ or CUDA, or nothing.
std::string_view hint_for(std::string_view name);

/// Whether C++ gives the word a meaning that C does not.
bool is_cxx_word(std::string_view word);
std::string describe_cxx(std::string_view word);

/// By which an unknown type is reported once.
std::string type_key(std::string_view name);

struct MissingFeature {
  std::string_view name;  // "pipes"
  std::string_view verb;  // "are"
  std::string_view words, prefixes;
};
/// What a type, function or constant belongs to that is not in this version of the language, or null.
const MissingFeature* missing_feature(std::string_view name);
/// "pipes ('read_pipe') are not part of this version of the language".
std::string describe_missing(const MissingFeature& feature, std::string_view name);

}  // namespace kc::front
