// SPDX-License-Identifier: Apache-2.0
#include "frontend/frontend.h"

#include <fmt/format.h>

#include <optional>

#include "frontend/argument_info.h"
#include "frontend/lower/lower.h"
#include "frontend/parse/ast_print.h"
#include "frontend/parse/parse_driver.h"
#include "frontend/preprocess/preprocessor.h"
#include "frontend/preprocess/print_tokens.h"
#include "frontend/sema/prelude.h"
#include "frontend/sema/sema.h"
#include "frontend/warn/warn.h"
#include "ir/verify.h"

namespace kc {

namespace {

using namespace front;

constexpr size_t MaxSource = 64u << 20;

// The state of one compilation; members are constructed in this order.
struct Compilation {
  Sources sources;
  Diagnostics diagnostics;
  Preprocessor preprocessor;
  Arena arena;
  TypeTable types;
  SourceLocs locs;
  std::shared_ptr<const SourceFile> file;

  Compilation(std::string_view text, const FrontendOptions& options)
      : diagnostics(sources),
        preprocessor(sources, diagnostics, options),
        locs(sources),
        file(std::make_shared<SourceFile>(options.file_name, text.substr(0, MaxSource))) {
    diagnostics.set_error_limit(options.diagnostics.error_limit);
    WarningOptions warnings;
    if (options.diagnostics.silent) warnings.silence();
    diagnostics.set_warning_options(warnings);
    diagnostics.apply_warning_options(options.diagnostics.warnings);
    if (text.size() > MaxSource) diagnostics.error({0, 0}, "the source is larger than 64 MiB");
  }
  std::vector<Token> tokens() { return preprocessor.run(file); }
  ParseDriver parser() {
    std::vector<Token> all = tokens();
    // The declarations of a missing file are unknown, so only its absence is reported.
    if (preprocessor.misses_file()) all.erase(all.begin(), all.end() - 1);
    return ParseDriver(std::move(all), preprocessor.pragmas(), arena, diagnostics);
  }
};

std::string render(const Diagnostics& diagnostics, const DiagnosticStyle& style) {
  return style.json ? diagnostics.render_json() : diagnostics.render(style.color);
}

std::unique_ptr<Function> lower(Compilation& c, const TranslationUnit& unit, FunctionDecl* kernel,
                                const FrontendOptions& o) {
  // The remarks of a discarded lowering are not reported.
  std::optional<Remarks> said;
  FrontendOptions sharing = o;
  if (o.remarks) {
    said.emplace([&](std::string_view pass) { return o.remarks->wants(pass); });
    sharing.remarks = &*said;
  }
  KernelLowering first(c.types, c.locs, c.diagnostics, unit, kernel, sharing);
  std::unique_ptr<Function> f = first.run();
  if (!first.carries_too_much()) {
    if (said) o.remarks->add(*said);
    return f;
  }
  // Inlining is preferred where sharing is unnecessary.
  FrontendOptions inlining = o;
  inlining.inline_budget = UINT64_MAX;
  KernelLowering second(c.types, c.locs, c.diagnostics, unit, kernel, inlining);
  f = second.run();
  if (second.carries_too_much())
    c.diagnostics.error(
        kernel->range,
        fmt::format("kernel '{}' keeps too many values during calls of shared regions; they are "
                    "passed {} times or more",
                    kernel->name, KernelLowering::MaxCarried));
  return f;
}

// The type's words without qualifiers. A typedef keeps its name; what has no word, its canonical name.
std::string base_name(const SpecifierList& list, const front::Type* type) {
  for (const Specifier* s = list.first; s; s = s->next) {
    if (s->kind == SpecifierKind::Typedef) return std::string(s->name);
    if (s->kind == SpecifierKind::Record && !s->record->tag.empty())
      return fmt::format("{} {}", s->record->is_union ? "union" : "struct", s->record->tag);
    if (s->kind == SpecifierKind::Enum && !s->enumeration->tag.empty())
      return fmt::format("enum {}", s->enumeration->tag);
  }
  return type_name(type);
}

ArgumentInfo argument_info(const VarDecl& p, const TypeName& declared) {
  ArgumentInfo info{.name = std::string(p.name), .type = {}};
  const DeclaratorPart* part = declared.declarator->parts;
  if (part && part->next)
    info.type = type_name(p.type->element) + "*";  // an array of arrays
  else
    info.type = base_name(declared.specifiers, part ? p.type->element : p.type) + (part ? "*" : "");
  if (!p.type->is_pointer()) return info;
  switch (p.type->space) {
    case AddressSpace::Private:
      info.space = ArgumentInfo::Space::Private;
      break;
    case AddressSpace::Global:
      info.space = ArgumentInfo::Space::Global;
      break;
    case AddressSpace::Constant:
      info.space = ArgumentInfo::Space::Constant;
      break;
    case AddressSpace::Local:
      info.space = ArgumentInfo::Space::Local;
      break;
  }
  info.is_const = p.type->pointee_qualifiers & Const;
  info.is_volatile = p.type->pointee_qualifiers & Volatile;
  info.is_restrict = p.qualifiers & Restrict;
  return info;
}

}  // namespace

std::vector<KernelArguments> kernel_arguments(std::string_view text, const FrontendOptions& options) {
  Compilation c(text, options);
  ParseDriver parser = c.parser();
  TranslationUnit unit = parser.parse();
  Prelude prelude(c.arena, c.types, c.sources, c.diagnostics);
  Sema(c.arena, c.types, c.diagnostics, parser.tainted_names(), &prelude, options.single_literals).run(unit);
  std::vector<KernelArguments> all;
  if (c.diagnostics.errors() > 0) return all;
  for (const TopLevel& item : unit.items) {
    const FunctionDecl* f = item.function;
    if (!f || !f->is_kernel) continue;
    const DeclaratorPart* part = f->declarator->parts;
    while (part->next) part = part->next;  // the list of parameters
    KernelArguments& kernel = all.emplace_back(std::string(f->name));
    for (const VarDecl* p : f->parameters)
      kernel.arguments.push_back(argument_info(*p, *part->parameters[p->index]));
  }
  return all;
}

FrontendResult compile_source(std::string_view text, const FrontendOptions& options) {
  Compilation c(text, options);
  ParseDriver parser = c.parser();
  TranslationUnit unit = parser.parse();
  Prelude prelude(c.arena, c.types, c.sources, c.diagnostics);
  Sema(c.arena, c.types, c.diagnostics, parser.tainted_names(), &prelude, options.single_literals).run(unit);
  if (c.diagnostics.errors() == 0) prelude.resolve();
  if (c.diagnostics.errors() == 0) check_shared_regions(unit, c.diagnostics);
  if (c.diagnostics.hard_errors() == 0 && !options.diagnostics.silent) warn(unit, c.diagnostics);
  FrontendResult result;
  auto module = std::make_unique<Module>();
  module->source_name = options.file_name;
  for (const TopLevel& item : unit.items) {
    if (c.diagnostics.errors() > 0) break;
    if (!item.function || !item.function->is_kernel) continue;
    std::unique_ptr<Function> f = lower(c, unit, item.function, options);
    if (!f) break;
    if (internal_checks()) verify_or_die(*f, "frontend");
    module->functions.push_back(std::move(f));
  }
  result.errors = c.diagnostics.errors();
  result.warnings = c.diagnostics.warnings();
  result.diagnostics = render(c.diagnostics, options.diagnostics);
  if (result.errors == 0) result.module = std::move(module);
  return result;
}

PreprocessedText preprocess_source(std::string_view text, const FrontendOptions& options) {
  Compilation c(text, options);
  std::vector<Token> tokens = c.tokens();
  PreprocessedText result;
  result.text = print_tokens(tokens, c.preprocessor.pragmas(), c.sources);
  result.errors = c.diagnostics.errors();
  result.diagnostics = render(c.diagnostics, options.diagnostics);
  return result;
}

std::string dump_tokens(std::string_view text, const FrontendOptions& options) {
  Compilation c(text, options);
  std::string out;
  for (const Token& t : c.tokens()) {
    LineColumn at = c.sources.line_column(t.range.begin);
    out += fmt::format("{}:{} {}{}\n", at.line, at.column, t.kind == Tok::TokEnd ? "end of file" : t.text,
                       t.from_macro ? "  (macro)" : "");
  }
  return out + render(c.diagnostics, options.diagnostics);
}

std::string dump_ast(std::string_view text, const FrontendOptions& options) {
  Compilation c(text, options);
  ParseDriver parser = c.parser();
  TranslationUnit unit = parser.parse();
  Prelude prelude(c.arena, c.types, c.sources, c.diagnostics);
  Sema(c.arena, c.types, c.diagnostics, parser.tainted_names(), &prelude, options.single_literals).run(unit);
  return print_ast(unit) + render(c.diagnostics, options.diagnostics);
}

}  // namespace kc
