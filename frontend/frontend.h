// SPDX-License-Identifier: Apache-2.0
// The front end: kernel language in, thread IR out.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ir/function.h"

namespace kc {

/// Which diagnostics there are and how they look.
struct DiagnosticStyle {
  std::vector<std::string> warnings;  // options -W in their order, without the "-W"
  bool silent = false;                // -w
  int error_limit = 20;               // 0: none
  bool json = false;                  // JSON objects, one per line
  bool color = false;                 // in text
};

struct FrontendOptions {
  std::string file_name = "kernel.cl";
  std::vector<std::string> defines;    // NAME or NAME=VALUE
  std::vector<std::string> undefines;  // NAME
  bool contract = true;                // fuse multiplications with additions
  DiagnosticStyle diagnostics;
};

struct FrontendResult {
  std::unique_ptr<Module> module;  // one function for each kernel, in source order; null on error
  std::string diagnostics;         // rendered
  int errors = 0;
  int warnings = 0;
};

FrontendResult compile_source(std::string_view text, const FrontendOptions& options);

// One token per line after preprocessing; the syntax tree, one node per line. Errors follow as comments.
std::string dump_tokens(std::string_view text, const FrontendOptions& options);
std::string dump_ast(std::string_view text, const FrontendOptions& options);

}  // namespace kc
