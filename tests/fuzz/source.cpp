// SPDX-License-Identifier: Apache-2.0
// Fuzzes the preprocessor, the front end, the text form and the passes on thread IR.
#include "frontend/frontend.h"
#include "passes/pipeline.h"
#include "tests/fuzz/fuzz.h"

namespace {

// Larger functions are checked and printed, but not run through the passes.
constexpr size_t MaxInstructions = 20'000;

constexpr std::string_view Header =
    "#pragma once\n#define TWICE(x) ((x) + (x))\n#define LIST(f, ...) f(__VA_ARGS__)\n"
    "struct pair { int a; float b; };\nint helper(int a) { if (a < 0) throw a; return TWICE(a); }\n";

kc::FrontendOptions options_for(const std::string& text) {
  kc::FrontendOptions options;
  options.read_file = [&text](const std::string& path) -> std::expected<std::string, std::string> {
    if (path == "a.h") return std::string(Header);
    if (path == "self") return text;
    if (path == "bad") return std::unexpected("it is a directory");
    return std::unexpected("");
  };
  options.diagnostics.warnings = {"all", "extra"};
  return options;
}

void run_passes(std::unique_ptr<kc::Function> f) {
  if (f->inst_count() > MaxInstructions) return;
  kc::PassState state{std::move(f)};
  auto names = kc::default_pipeline(kc::PipelineKind::ThreadLower);
  kc::PipelineOptions options;
  options.verify_each = true;
  auto done = kc::run_pipeline(state, names, options);
  require(done.has_value(), done ? "" : done.error().message);
  require_round_trip(kc::print(*state.f));
}

void run_source(std::string_view input) {
  const std::string text(input);
  kc::FrontendOptions options = options_for(text);
  kc::FrontendResult result = kc::compile_source(text, options);
  require((result.errors == 0) == (result.module != nullptr), "an error and a module, or neither");
  bool has_error = result.diagnostics.find("error: ") != std::string::npos;
  require(result.errors == 0 || has_error, "errors were counted but not rendered");
  if (!result.module || result.module->functions.empty()) return;
  for (const auto& f : result.module->functions) kc::verify_or_die(*f, "frontend");
  require_round_trip(kc::print(*result.module));
  for (auto& f : result.module->functions) run_passes(std::move(f));
}

constexpr Entry kSource[] = {{"source", run_source}};

}  // namespace

std::span<const Entry> source_entries() { return kSource; }
