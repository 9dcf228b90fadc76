// SPDX-License-Identifier: Apache-2.0
#include "opencl/build_options.h"

#include <algorithm>

#include "frontend/features.h"
#include "host/source.h"

namespace kc::cl {
namespace {

// Options that allow looser arithmetic, or request what the compiler does anyway.
constexpr std::string_view kNoEffect[] = {"-cl-mad-enable",
                                          "-cl-finite-math-only",
                                          "-cl-no-signed-zeros",
                                          "-cl-denorms-are-zero",
                                          "-cl-fp32-correctly-rounded-divide-sqrt",
                                          "-cl-strict-aliasing",
                                          "-cl-uniform-work-group-size",
                                          "-cl-no-subgroup-ifp",
                                          "-cl-kernel-arg-info"};

constexpr std::string_view kLinkWithoutEffect[] = {
    "-cl-denorms-are-zero", "-cl-no-signed-zeros",   "-cl-no-signed-zeroes", "-cl-unsafe-math-optimizations",
    "-cl-finite-math-only", "-cl-fast-relaxed-math", "-cl-no-subgroup-ifp"};

// Words end at white space; quotes keep it, and a backslash takes the next character as it is.
std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  bool in_word = false;
  char quote = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    const bool space = c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f';
    if (!quote && space) {
      in_word = false;
      continue;
    }
    if (!in_word) words.emplace_back();
    in_word = true;
    if (quote ? c == quote : c == '"' || c == '\'') {
      quote = quote ? 0 : c;
      continue;
    }
    if (c == '\\' && i + 1 < text.size()) c = text[++i];
    words.back() += c;
  }
  return words;
}

}  // namespace

std::optional<BuildOptions> parse_options(std::string_view text) {
  BuildOptions o;
  FrontendOptions& f = o.frontend;
  f.read_file = read_include;
  f.file_name = "program.cl";
  f.device_version = 300;
  const std::vector<std::string> words = words_of(text);
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string& w = words[i];
    if (w.starts_with("-D") || w.starts_with("-I")) {
      if (w.size() == 2 && i + 1 == words.size()) return {};
      (w[1] == 'D' ? f.defines : f.include_dirs).push_back(w.size() > 2 ? w.substr(2) : words[++i]);
    } else if (w.starts_with("-cl-std=")) {
      const std::optional<int> version = language_version(w.substr(8));
      if (!version) return {};
      f.language_version = *version;
    } else if (w == "-w") {
      f.diagnostics.silent = true;
    } else if (w == "-Werror") {
      f.diagnostics.warnings.push_back("error");
    } else if (w == "-cl-opt-disable") {
      o.no_optimisation = true;
    } else if (w == "-cl-single-precision-constant") {
      f.single_literals = true;
    } else if (w == "-cl-fast-relaxed-math") {
      f.defines.push_back("__FAST_RELAXED_MATH__=1");
      f.fast_math = true;
    } else if (w == "-cl-unsafe-math-optimizations") {
      f.fast_math = true;
    } else if (std::ranges::find(kNoEffect, w) == std::end(kNoEffect)) {
      return {};
    }
  }
  return o;
}

std::optional<LinkOptions> parse_link_options(std::string_view text) {
  LinkOptions o;
  bool enabled = false;
  for (const std::string& w : words_of(text)) {
    if (w == "-create-library")
      o.library = true;
    else if (w == "-enable-link-options")
      enabled = true;
    else if (std::ranges::find(kLinkWithoutEffect, w) == std::end(kLinkWithoutEffect))
      return {};
  }
  if (enabled && !o.library) return {};
  return o;
}

}  // namespace kc::cl
