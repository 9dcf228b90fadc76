// SPDX-License-Identifier: Apache-2.0
#include "api/form_log.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace kc {
namespace {

// Open as long as the process: kernels may be compiled in exit handlers.
FILE* open_log() {
  const char* to = std::getenv("KERNELC_LOG");
  if (!to || !*to) return nullptr;
  if (!std::strcmp(to, "stderr")) return stderr;
  FILE* file = std::fopen(to, "ae");
  if (!file)
    fmt::print(stderr, "kernelc: warning: KERNELC_LOG: cannot write '{}': {}\n", to, std::strerror(errno));
  return file;
}
FILE* log_file() {
  static FILE* file = open_log();
  return file;
}

}  // namespace

bool logs_forms() { return log_file(); }

void log_form(const std::string& line) {
  FILE* file = log_file();
  if (!file) return;
  const std::string text = "kernelc: " + line + "\n";
  std::fwrite(text.data(), 1, text.size(), file);  // one call, so that lines of threads stay whole
  std::fflush(file);
}

}  // namespace kc
