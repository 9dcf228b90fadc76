// SPDX-License-Identifier: Apache-2.0
#include "frontend/sema/link.h"

#include <fmt/format.h>

#include <algorithm>

namespace kc::front {

namespace {

bool is_static(const VarDecl* v) {
  for (const Specifier* s = v->specifiers.first; s; s = s->next)
    if (s->kind == SpecifierKind::Storage && static_cast<Storage>(s->value) == Storage::Static) return true;
  return false;
}

bool same_parameters(const FunctionDecl* a, const FunctionDecl* b) {
  return std::ranges::equal(a->parameters, b->parameters,
                            [](const VarDecl* p, const VarDecl* q) { return same_layout(p->type, q->type); });
}

}  // namespace

void Linker::add(const TranslationUnit& unit, const Calls& calls, const Undefined& undefined) {
  items_.insert(items_.end(), unit.items.begin(), unit.items.end());
  texts_.insert(texts_.end(), unit.texts.begin(), unit.texts.end());
  addressed_ = unit.addressed;  // it has those of the units before
  undefined_.calls.insert(undefined_.calls.end(), undefined.calls.begin(), undefined.calls.end());
  undefined_.constants.insert(undefined_.constants.end(), undefined.constants.begin(),
                              undefined.constants.end());
  calls_.insert(calls.begin(), calls.end());
  for (const TopLevel& item : unit.items) {
    if (item.function && item.function->body && !item.function->is_internal) define(item.function);
    if (VarDecl* v = item.variable; v && v->initializer && !v->is_typedef && !is_static(v)) define(v);
  }
}

void Linker::define(FunctionDecl* f) {
  std::vector<FunctionDecl*>& known = functions_[f->name];
  for (const FunctionDecl* other : known)
    if (!f->overloadable || !other->overloadable || same_parameters(f, other))
      return defined_twice(f->name, f->range, other->range);
  if (const auto v = variables_.find(f->name); v != variables_.end())
    return defined_twice(f->name, f->range, v->second->range);
  known.push_back(f);
}

void Linker::define(VarDecl* v) {
  const auto [known, fresh] = variables_.emplace(v->name, v);
  if (!fresh) return defined_twice(v->name, v->range, known->second->range);
  if (const auto f = functions_.find(v->name); f != functions_.end())
    defined_twice(v->name, v->range, f->second.front()->range);
}

void Linker::defined_twice(std::string_view name, SourceRange range, SourceRange before) {
  diagnostics_.error(range, fmt::format("redefinition of '{}'", name))
      .note(before, "previous definition is here");
}

void Linker::resolve(const Call& call) {
  FunctionDecl* declared = call.callee;
  if (declared->definition) return;  // by an earlier call
  const auto found = functions_.find(declared->name);
  if (found == functions_.end()) return report_undefined(call, diagnostics_);
  for (FunctionDecl* f : found->second)
    if (same_parameters(f, declared) && same_layout(f->return_type, declared->return_type)) {
      declared->definition = f;
      return;
    }
  diagnostics_.error(declared->range, fmt::format("conflicting types for '{}'", declared->name))
      .note(found->second.front()->range, "it is defined here");
}

void Linker::resolve(VarDecl* constant) {
  const auto found = variables_.find(constant->name);
  if (found == variables_.end()) {
    diagnostics_.error(constant->range,
                       fmt::format("constant '{}' is declared but never defined", constant->name));
  } else if (!same_layout(found->second->type, constant->type)) {
    diagnostics_.error(constant->range, fmt::format("conflicting types for '{}'", constant->name))
        .note(found->second->range, "it is defined here");
  } else {
    constant->definition = found->second;
  }
}

TranslationUnit Linker::link() {
  for (const Call& call : undefined_.calls) resolve(call);
  for (VarDecl* v : undefined_.constants) resolve(v);
  std::vector<FunctionDecl*> definitions;
  for (const TopLevel& item : items_)
    if (item.function) definitions.push_back(item.function);
  if (diagnostics_.errors() == 0) check_recursion(definitions, calls_, diagnostics_);
  TranslationUnit all;
  all.items = arena_.copy(items_);
  all.addressed = addressed_;
  all.texts = arena_.copy(texts_);
  return all;
}

}  // namespace kc::front
