// SPDX-License-Identifier: Apache-2.0
#include "frontend/frontend.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <optional>

#include "frontend/argument_info.h"
#include "frontend/lower/lower.h"
#include "frontend/parse/ast_print.h"
#include "frontend/parse/parse_driver.h"
#include "frontend/preprocess/preprocessor.h"
#include "frontend/preprocess/print_tokens.h"
#include "frontend/sema/link.h"
#include "frontend/sema/prelude.h"
#include "frontend/sema/sema.h"
#include "frontend/warn/decisions.h"
#include "frontend/warn/warn.h"
#include "ir/verify.h"

namespace kc {

namespace {

using namespace front;

constexpr size_t MaxSource = 64u << 20;

// What all texts of one compilation share; members are constructed in this order.
struct Session {
  Sources sources;
  Diagnostics diagnostics;
  Arena arena;
  TypeTable types;
  SourceLocs locs;
  Prelude prelude;

  explicit Session(const DiagnosticStyle& style)
      : diagnostics(sources), locs(sources), prelude(arena, types, sources, diagnostics) {
    diagnostics.set_error_limit(style.error_limit);
    WarningOptions warnings;
    if (style.silent) warnings.silence();
    diagnostics.set_warning_options(warnings);
    diagnostics.apply_warning_options(style.warnings);
  }
};

// Reads one text.
struct Reader : Preprocessor {
  Reader(Session& s, std::string_view text, const FrontendOptions& options)
      : Preprocessor(s.sources, s.diagnostics, options) {
    if (text.size() > MaxSource) s.diagnostics.error({0, 0}, "the source is larger than 64 MiB");
    open(std::make_shared<SourceFile>(options.file_name, text.substr(0, MaxSource)));
  }
};

// The checked tree of one text.
struct CheckedUnit {
  Reader reader;
  ParseDriver parser;
  TranslationUnit tree;
  Sema sema;

  CheckedUnit(Session& s, std::string_view text, const FrontendOptions& options, bool separate = false,
              const CheckedUnit* before = nullptr)
      : reader(s, text, options),
        parser(reader, s.arena, s.diagnostics),
        tree(parser.parse()),
        sema(s.arena, s.types, s.diagnostics, parser.tainted_names(), &s.prelude, options.single_literals,
             separate) {
    sema.run(tree, before ? &before->tree : nullptr);
  }
};

// Units that are linked have looser arithmetic if each of them was compiled for it.
bool all_fast(std::span<const SourceUnit> units) {
  return std::ranges::all_of(units, [](const SourceUnit& u) { return u.options.fast_math; });
}

// The checked and linked tree of several texts.
struct LinkedUnits {
  std::deque<CheckedUnit> units;
  TranslationUnit tree;

  LinkedUnits(Session& s, std::span<const SourceUnit> texts) {
    s.prelude.prefer_native(all_fast(texts));
    Linker linker(s.arena, s.diagnostics);
    for (const SourceUnit& u : texts) {
      const CheckedUnit* before = units.empty() ? nullptr : &units.back();
      const CheckedUnit& unit = units.emplace_back(s, u.text, u.options, true, before);
      linker.add(unit.tree, unit.sema.calls(), unit.sema.undefined());
    }
    if (s.diagnostics.errors() == 0) tree = linker.link();
  }
};

std::string render(const Diagnostics& diagnostics, const DiagnosticStyle& style) {
  return style.json ? diagnostics.render_json() : diagnostics.render(style.color);
}

// Arguments that calls of shared regions pass: with so many, another plan is tried, or none is possible.
constexpr uint64_t ManyCarried = 10'000, MaxCarried = 100'000;
constexpr int MostPlans = 3;  // with regions

std::unique_ptr<Function> lower(Session& c, const TranslationUnit& unit, FunctionDecl* kernel,
                                const FrontendOptions& o) {
  FrontendOptions options = o;
  CostlyFunctions costly;
  for (int plans = 1;; ++plans) {
    // The remarks of a discarded lowering are not reported.
    std::optional<Remarks> said;
    if (o.remarks) {
      said.emplace([&](std::string_view pass) { return o.remarks->wants(pass); });
      options.remarks = &*said;
    }
    KernelLowering lowering(c.types, c.locs, c.diagnostics, unit, kernel, options, costly);
    std::unique_ptr<Function> f = lowering.run();
    const bool inlines_all = options.inline_budget == UINT64_MAX;
    const bool cheaper = plans < MostPlans && options.inline_budget > 0 && !lowering.costly().empty() &&
                         lowering.carried() > ManyCarried;
    if (!f || inlines_all || (!cheaper && lowering.carried() < MaxCarried)) {
      if (said) o.remarks->add(*said);
      if (!f || lowering.carried() < MaxCarried) return f;
      c.diagnostics.error(
          kernel->range,
          fmt::format("kernel '{}' keeps too many values during calls of shared regions; they are "
                      "passed {} times or more",
                      kernel->name, MaxCarried));
      return nullptr;
    }
    // Calls that carry much are inlined, then all that can be.
    costly.insert(lowering.costly().begin(), lowering.costly().end());
    if (!cheaper) options.inline_budget = UINT64_MAX;
  }
}

// What follows sema and needs no other unit.
void check_rest(Session& s, const TranslationUnit& unit, const FrontendOptions& options) {
  if (s.diagnostics.errors() == 0) s.prelude.resolve();
  if (s.diagnostics.errors() == 0) check_shared_regions(unit, s.diagnostics);
  if (!s.diagnostics.saturated() && !options.diagnostics.silent) warn(unit, s.diagnostics);
}

FrontendResult result_of(const Session& s, const FrontendOptions& options) {
  return {nullptr, render(s.diagnostics, options.diagnostics), s.diagnostics.errors(),
          s.diagnostics.warnings()};
}

// What is left after sema: the prelude, the warnings, and one function for each kernel.
FrontendResult finish(Session& s, const TranslationUnit& unit, const FrontendOptions& options) {
  check_rest(s, unit, options);
  auto module = std::make_unique<Module>();
  module->source_name = options.file_name;
  for (const TopLevel& item : unit.items) {
    if (s.diagnostics.errors() > 0) break;
    if (!item.function || !item.function->is_kernel) continue;
    std::unique_ptr<Function> f = lower(s, unit, item.function, options);
    if (!f) break;
    if (internal_checks()) verify_or_die(*f, "frontend");
    module->functions.push_back(std::move(f));
  }
  FrontendResult result = result_of(s, options);
  if (result.errors == 0) result.module = std::move(module);
  return result;
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

void add_attributes(std::string& all, const SpecifierList& list, const Sources& sources) {
  for (const Specifier* s = list.first; s; s = s->next)
    for (const Attribute& a : s->attributes) {
      if (!all.empty()) all += ' ';
      for (char c : sources.spelling_from(a.range.begin).substr(0, a.range.end - a.range.begin))
        if (c != '\n') all += c;
    }
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

std::vector<KernelArguments> kernel_arguments(std::span<const SourceUnit> units) {
  std::vector<KernelArguments> all;
  if (units.empty()) return all;
  std::vector<SourceUnit> expanded(units.begin(), units.end());
  for (SourceUnit& u : expanded) u.text = preprocess_source(u.text, u.options).text;
  Session s(units[0].options.diagnostics);
  LinkedUnits linked(s, expanded);
  if (s.diagnostics.errors() > 0) return all;
  for (const TopLevel& item : linked.tree.items) {
    const FunctionDecl* f = item.function;
    if (!f || !f->is_kernel) continue;
    const DeclaratorPart* part = f->declarator->parts;
    while (part->next) part = part->next;  // the list of parameters
    KernelArguments& kernel = all.emplace_back(std::string(f->name));
    for (const VarDecl* p : f->parameters)
      kernel.arguments.push_back(argument_info(*p, *part->parameters[p->index]));
    add_attributes(kernel.attributes, f->specifiers, s.sources);
    add_attributes(kernel.attributes, f->declarator->attributes, s.sources);
  }
  return all;
}

FrontendResult compile_source(std::string_view text, const FrontendOptions& options) {
  Session s(options.diagnostics);
  s.prelude.prefer_native(options.fast_math);
  CheckedUnit unit(s, text, options);
  return finish(s, unit.tree, options);
}

FrontendResult check_unit(std::string_view text, const FrontendOptions& options) {
  Session s(options.diagnostics);
  s.prelude.prefer_native(options.fast_math);
  CheckedUnit unit(s, text, options, true);
  check_rest(s, unit.tree, options);
  return result_of(s, options);
}

FrontendResult link_units(std::span<const SourceUnit> units) {
  if (units.empty()) return {};
  FrontendOptions options = units[0].options;
  options.diagnostics.silent = true;
  options.fast_math = all_fast(units);
  Session s(options.diagnostics);
  LinkedUnits linked(s, units);
  return finish(s, linked.tree, options);
}

PreprocessedText preprocess_source(std::string_view text, const FrontendOptions& options) {
  Session s(options.diagnostics);
  Reader reader(s, text, options);
  const std::vector<Token> tokens = reader.all();
  PreprocessedText result;
  result.text = print_tokens(tokens, reader.pragmas(), s.sources);
  result.errors = s.diagnostics.errors();
  result.diagnostics = render(s.diagnostics, options.diagnostics);
  return result;
}

std::string dump_tokens(std::string_view text, const FrontendOptions& options) {
  Session s(options.diagnostics);
  Reader reader(s, text, options);
  std::string out;
  for (const Token& t : reader.all()) {
    LineColumn at = s.sources.line_column(t.range.begin);
    out += fmt::format("{}:{} {}{}\n", at.line, at.column, t.kind == Tok::TokEnd ? "end of file" : t.text,
                       t.from_macro ? "  (macro)" : "");
  }
  return out + render(s.diagnostics, options.diagnostics);
}

std::string dump_ast(std::string_view text, const FrontendOptions& options) {
  Session s(options.diagnostics);
  CheckedUnit unit(s, text, options);
  return print_ast(unit.tree) + render(s.diagnostics, options.diagnostics);
}

std::vector<Decision> decisions(std::string_view text, const FrontendOptions& options) {
  Session s(options.diagnostics);
  CheckedUnit unit(s, text, options);
  if (s.diagnostics.errors()) return {};
  return find_decisions(unit.tree, s.sources);
}

}  // namespace kc
