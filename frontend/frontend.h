// SPDX-License-Identifier: Apache-2.0
// The front end: compiles the kernel language to thread IR.
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

/// The enabled diagnostics and their format.
struct DiagnosticStyle {
  std::vector<std::string> warnings;  // -W options in order, without the "-W"
  bool silent = false;                // -w
  int error_limit = 20;               // 0: unlimited
  bool json = false;                  // JSON objects, one per line
  bool color = false;                 // in text
};

// Reads the text of an included file. The error is empty if the file does not exist; otherwise it says why
// the file cannot be read.
using FileReader = std::function<std::expected<std::string, std::string>(const std::string& path)>;

struct FrontendOptions {
  std::string file_name = "kernel.cl";
  std::vector<std::string> defines;       // NAME or NAME=VALUE; parameters may follow NAME
  std::vector<std::string> undefines;     // NAME
  std::vector<std::string> includes;      // files to include before the source
  std::vector<std::string> include_dirs;  // search path of #include
  FileReader read_file;                   // if empty, no file can be included
  bool contract = true;                   // contract products and sums to fma
  bool single_literals = false;           // 1.0 is a float
  bool fast_math = false;                 // -cl-fast-relaxed-math: looser functions, x / y as x * (1 / y)
  int device_version = 120;               // __OPENCL_VERSION__
  int language_version = 120;             // __OPENCL_C_VERSION__; from 300 on with the macros of features
  /// The number of syntax-tree nodes that inlining may copy in one kernel before large functions become
  /// shared regions; with 0, every function that can be shared is.
  uint64_t inline_budget = 4'000;
  DiagnosticStyle diagnostics;
  Remarks* remarks = nullptr;  // receives remarks about calls
};

struct FrontendResult {
  std::unique_ptr<Module> module;  // one function per kernel, in source order; null on error
  std::string diagnostics;         // rendered
  int errors = 0;
  int warnings = 0;
};

FrontendResult compile_source(std::string_view text, const FrontendOptions& options);

/// One of several texts that make one program. What one declares, another one may define.
struct SourceUnit {
  std::string text;
  FrontendOptions options;
};
/// The diagnostics of one unit, which need not define what it declares; there is no module.
FrontendResult check_unit(std::string_view text, const FrontendOptions& options);
/// One module with the kernels of all units. Warnings are those of `check_unit`, so there are none.
FrontendResult link_units(std::span<const SourceUnit> units);

// The preprocessed source, as text that compiles to the same program, and its diagnostics.
struct PreprocessedText {
  std::string text;
  std::string diagnostics;  // rendered
  int errors = 0;
};
PreprocessedText preprocess_source(std::string_view text, const FrontendOptions& options);

/// Renders remarks as diagnostics about the source and the files that their Locs number. Source lines are
/// shown where the text is available; none if `text` is empty.
std::string render_remarks(std::string_view text, const FrontendOptions& options,
                           std::span<const std::string> files, std::span<const Remark> remarks);

// One token per line after preprocessing; the syntax tree, one node per line. Errors follow as comments.
std::string dump_tokens(std::string_view text, const FrontendOptions& options);
std::string dump_ast(std::string_view text, const FrontendOptions& options);

/// A condition of the source, and what it decides: "a goto to 'done'", "the condition of a while loop".
struct Decision {
  Loc begin, end;  // the first and the last character
  std::string what;
};
/// In the order of the source, outer ones first; none if the text has errors.
std::vector<Decision> decisions(std::string_view text, const FrontendOptions& options);

}  // namespace kc
