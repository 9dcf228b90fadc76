// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>

#include "helpers.h"

using Files = std::map<std::string, std::string>;

// Options with files in memory. A text "!x" is a file that cannot be read, for reason x.
inline kc::FrontendOptions with_files(Files files) {
  kc::FrontendOptions options;
  options.read_file =
      [files = std::move(files)](const std::string& path) -> std::expected<std::string, std::string> {
    auto found = files.find(path);
    if (found == files.end()) return std::unexpected("");
    if (found->second.starts_with("!")) return std::unexpected(found->second.substr(1));
    return found->second;
  };
  return options;
}

// Preprocessed text without #line, with lines joined by blanks.
inline std::string flat(const std::string& text) {
  std::istringstream in(text);
  std::string out;
  for (std::string line; std::getline(in, line);) {
    size_t begin = line.find_first_not_of(' ');
    if (begin == std::string::npos || line.starts_with("#line")) continue;
    out += (out.empty() ? "" : " ") + line.substr(begin);
  }
  return out;
}

// The preprocessed text; preprocessing must produce no message.
inline std::string preprocessed(const std::string& text, const kc::FrontendOptions& options = {}) {
  kc::PreprocessedText result = kc::preprocess_source(text, options);
  INFO(text);
  CHECK(result.diagnostics == "");
  return flat(result.text);
}

// All diagnostics of preprocessing and parsing the text.
inline std::string complaints(const std::string& text, const kc::FrontendOptions& options = {}) {
  return kc::preprocess_source(text, options).diagnostics;
}
