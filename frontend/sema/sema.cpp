// SPDX-License-Identifier: Apache-2.0
#include "frontend/sema/sema.h"

#include <fmt/format.h>

#include <algorithm>

#include "frontend/sema/builtins.h"
#include "frontend/source/nearest_name.h"
#include "frontend/source/other_dialect_hints.h"

namespace kc::front {

Sema::Sema(Arena& arena, TypeTable& types, Diagnostics& diagnostics,
           const std::set<std::string_view>& tainted, Prelude* prelude, bool single_literals, bool separate)
    : SemaState(arena, types, diagnostics, tainted, prelude, single_literals, separate) {}

void Sema::run(TranslationUnit& unit, const TranslationUnit* before) {
  if (before) addressed_.assign(before->addressed.begin(), before->addressed.end());
  push_scope();
  std::vector<FunctionDecl*> definitions;
  for (const TopLevel& item : unit.items) {
    if (diagnostics_.saturated()) return;
    if (item.variable) {
      declare_global(item.variable);
    } else {
      declare_function(item.function);
      check_function(item.function);
      definitions.push_back(item.function);
    }
  }
  std::vector<Call> missing;
  for (FunctionDecl* f : definitions)
    for (const Call& c : calls_[f])
      if (!c.callee->definition) missing.push_back(c);
  std::erase_if(externs_, [](const VarDecl* v) { return v->definition; });
  if (separate_) {
    auto [internal, end] =
        std::ranges::stable_partition(missing, [](const Call& c) { return !c.callee->is_internal; });
    undefined_ = {{missing.begin(), internal}, externs_};
    missing.erase(missing.begin(), internal);
  } else {
    for (const VarDecl* v : externs_)
      diagnostics_.error(v->range, "a variable in constant memory must have an initializer");
  }
  for (const Call& c : missing) report_undefined(c, diagnostics_);
  check_recursion(definitions, calls_, diagnostics_);
  unit.addressed = arena_.copy(addressed_);
  unit.texts = arena_.copy(texts_);
}

void report_undefined(const Call& call, Diagnostics& diagnostics) {
  diagnostics.error(call.range, fmt::format("function '{}' is declared but never defined", call.callee->name))
      .note(call.callee->range, "declared here");
}

void Sema::pop_scope() {
  for (std::string_view name : scopes_.back()) symbols_[name].pop_back();
  scopes_.pop_back();
  for (std::string_view name : tag_scopes_.back()) tags_[name].pop_back();
  tag_scopes_.pop_back();
  visible_ = visible_at_scope_.back();
  visible_at_scope_.pop_back();
}

Symbol* Sema::find(std::string_view name) {
  auto found = symbols_.find(name);
  return found == symbols_.end() || found->second.empty() ? nullptr : &found->second.back();
}

// Returns false, with an error, if the innermost scope already declares the name.
bool Sema::declare(std::string_view name, SourceRange range, Symbol symbol) {
  if (name.empty()) return true;
  std::vector<std::string_view>& scope = scopes_.back();
  Symbol* old = find(name);
  if (old) {
    // The newest declaration belongs to this scope exactly if the outer scopes do not account for all
    // declarations.
    VarDecl* v = old->variable;
    bool here = v ? v->scope_depth == scopes_.size() : scopes_.size() == 1;
    if (here) {
      SourceRange previous = v ? v->range : old->function->range;
      diagnostics_.error(range, fmt::format("redefinition of '{}'", name))
          .note(previous, "previous definition is here");
      return false;
    }
  }
  if (symbol.function && scopes_.size() > 1) {  // a function declared in a block is one of the file
    symbols_[name].insert(symbols_[name].begin(), symbol);
    scopes_.front().push_back(name);
    return true;
  }
  if (symbol.variable) symbol.variable->scope_depth = static_cast<uint32_t>(scopes_.size());
  symbols_[name].push_back(symbol);
  scope.push_back(name);
  return true;
}

void Sema::add_local(VarDecl* v) {
  v->index = function_->variables++;
  v->outer = visible_;
  visible_ = v;
}

std::vector<std::string_view> Sema::visible_names(bool callable) {
  std::vector<std::string_view> names;
  if (diagnostics_.saturated()) return names;
  for (auto& [known, list] : symbols_)
    if (!list.empty() && !(list.back().variable && list.back().variable->is_typedef)) names.push_back(known);
  if (!callable) names.insert(names.end(), {"break", "continue", "return"});
  if (callable)
    for (std::string_view builtin : builtin_names()) names.push_back(builtin);
  return names;
}

// Reports an undeclared name, with the nearest declared name as a suggestion.
void Sema::undeclared(const char* what, std::string_view name, SourceRange range,
                      std::vector<std::string_view> candidates) {
  const std::string of_function = fmt::format("{} in {}", name, function_ ? function_->name : "");
  if (diagnostics_.names_uncertain() || diagnostics_.said(type_key(name))) return;
  if (is_cxx_word(name)) {
    diagnostics_.error_once(of_function, range, describe_cxx(name));
    return;
  }
  std::sort(candidates.begin(), candidates.end());
  std::string_view hint = hint_for(name);
  std::string_view near = hint.empty() ? nearest_name(name, candidates) : hint;
  Diagnostic& d = diagnostics_.error_once(
      of_function, range, fmt::format("use of undeclared {} '{}'{}", what, name, did_you_mean(near)));
  if (!near.empty() && hint.empty()) d.fix(range, std::string(near));
  auto is_capital = [](char c) { return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; };
  if (near.empty() && name.size() > 1 && std::ranges::all_of(name, is_capital))
    d.note(range, fmt::format("if it is a macro that the host defines: -D{}=VALUE", name));
}

// Reported once for each feature.
Diagnostic& Sema::unsupported(SourceRange range, const std::string& what) {
  return diagnostics_.error_once(what, range, what + " not part of this version of the language");
}

void Sema::beyond_standard(SourceRange range, std::string_view what) {
  diagnostics_.warning(Warning::Pedantic, range, fmt::format("{} goes beyond OpenCL C 1.2", what));
}

bool Sema::report_missing_feature(SourceRange range, std::string_view name) {
  const MissingFeature* feature = missing_feature(name);
  if (feature) diagnostics_.error_once(std::string(feature->name), range, describe_missing(*feature, name));
  return feature;
}

}  // namespace kc::front
