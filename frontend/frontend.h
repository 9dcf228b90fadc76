// SPDX-License-Identifier: Apache-2.0
// The front end: kernel language in, thread IR out.
#pragma once
#include <expected>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ir/function.h"
#include "ir/remarks.h"

namespace kc {

/// Which diagnostics there are and how they look.
struct DiagnosticStyle {
  std::vector<std::string> warnings;  // options -W in their order, without the "-W"
  bool silent = false;                // -w
  int error_limit = 20;               // 0: none
  bool json = false;                  // JSON objects, one per line
  bool color = false;                 // in text
};

// Gives the text of a file that the source includes. The error is empty if there is no such file, otherwise
// it says why it cannot be read.
using FileReader = std::function<std::expected<std::string, std::string>(const std::string& path)>;

struct FrontendOptions {
  std::string file_name = "kernel.cl";
  std::vector<std::string> defines;       // NAME or NAME=VALUE; NAME may be followed by parameters
  std::vector<std::string> undefines;     // NAME
  std::vector<std::string> includes;      // files to include before the source
  std::vector<std::string> include_dirs;  // where #include looks
  FileReader read_file;                   // without it nothing can be included
  bool contract = true;                   // fuse multiplications with additions
  bool single_literals = false;           // 1.0 is a float
  /// How many nodes of the syntax tree inlining may copy in one kernel before large functions become shared
  /// regions; with 0 all do that can.
  uint64_t inline_budget = 4'000;
  DiagnosticStyle diagnostics;
  Remarks* remarks = nullptr;  // where to say what became of calls
};

struct FrontendResult {
  std::unique_ptr<Module> module;  // one function for each kernel, in source order; null on error
  std::string diagnostics;         // rendered
  int errors = 0;
  int warnings = 0;
};

FrontendResult compile_source(std::string_view text, const FrontendOptions& options);

// The source after preprocessing, as text that compiles to the same; and what was said about it.
struct PreprocessedText {
  std::string text;
  std::string diagnostics;  // rendered
  int errors = 0;
};
PreprocessedText preprocess_source(std::string_view text, const FrontendOptions& options);

/// Remarks as diagnostics about the source and the files that their places count, with the lines of those
/// texts that are at hand: none when `text` is empty.
std::string render_remarks(std::string_view text, const FrontendOptions& options,
                           std::span<const std::string> files, std::span<const Remark> remarks);

// One token per line after preprocessing; the syntax tree, one node per line. Errors follow as comments.
std::string dump_tokens(std::string_view text, const FrontendOptions& options);
std::string dump_ast(std::string_view text, const FrontendOptions& options);

}  // namespace kc
