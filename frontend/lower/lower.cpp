// SPDX-License-Identifier: Apache-2.0
#include "frontend/lower/lower.h"

#include <fmt/format.h>

#include <algorithm>

#include "ir/cfg.h"
#include "ir/parameters.h"
#include "ir/ssa_repair.h"

namespace kc::front {

namespace {
constexpr uint64_t CostOfCarried = 4;  // an argument that a call carries, in instructions
}

kc::Type ir_type(const Type* type) {
  switch (type->kind) {
    case TypeKind::Bool:
      return kI1;
    case TypeKind::Char:
    case TypeKind::UChar:
      return kI8;
    case TypeKind::Short:
    case TypeKind::UShort:
    case TypeKind::Half:
      return kI16;
    case TypeKind::Int:
    case TypeKind::UInt:
    case TypeKind::Event:
      return kI32;
    case TypeKind::Long:
    case TypeKind::ULong:
      return kI64;
    case TypeKind::Float:
      return kF32;
    case TypeKind::Double:
      return kF64;
    case TypeKind::Pointer:
      return type->space == AddressSpace::Private  ? kPtrPrivate
             : type->space == AddressSpace::Local  ? kPtrLocal
             : type->space == AddressSpace::Global ? kPtrGlobal
                                                   : kPtrConstant;
    case TypeKind::Error:
    case TypeKind::Void:
    case TypeKind::Array:
    case TypeKind::Record:
    case TypeKind::Vector:
      break;
  }
  return kVoid;
}

KernelLowering::KernelLowering(TypeTable& types, SourceLocs& locs, Diagnostics& diagnostics,
                               const TranslationUnit& unit, FunctionDecl* kernel,
                               const FrontendOptions& options, const CostlyFunctions& costly)
    : types_(types),
      locs_(locs),
      diagnostics_(diagnostics),
      unit_(unit),
      options_(options),
      kernel_(kernel),
      plan_(kernel, options.inline_budget, costly),
      f_(std::make_unique<Function>()),
      b_(*f_) {}

// Diagnostics and remarks point to the call that led into the prelude, not to lines of the prelude.
SourceRange KernelLowering::outside_prelude(SourceRange where) const {
  return frame_ && frame_->function->is_prelude ? prelude_call_ : where;
}

void KernelLowering::at(SourceRange where) {
  where = outside_prelude(where);
  here_ = where;
  b_.loc = locs_.of(where.begin);
}

void KernelLowering::start(BlockId block) {
  b_.block = block;
  started_.push_back(block);
}

Value KernelLowering::zero(const Type* type) {
  Value v;
  if (type->is_record())
    for (const Field& f : type->record->fields) v.add(zero(f.type));
  else
    for (unsigned i = 0; i < type->components(); ++i) v.add(f_->constant(ir_type(type->component()), 0));
  return v;
}

bool KernelLowering::give_up(SourceRange where) {
  failed_ = true;
  std::string what = too_large() ? fmt::format("more than {} instructions", MaxInstructions)
                                 : fmt::format("more than {} nested levels", MaxNesting);
  Diagnostic& d = diagnostics_.error(
      outside_prelude(where),
      fmt::format("kernel '{}' has {} once the functions it calls are inlined", f_->name, what));
  if (frame_->function != kernel_ && plan_.is_pinned(frame_->function))
    d.note(frame_->function->range, fmt::format("each call of '{}' is a copy of its own, since it waits at a "
                                                "barrier, works on sub-groups or has local "
                                                "memory",
                                                frame_->function->name));
  return true;
}

void KernelLowering::remark(SourceRange where, const FunctionDecl* callee, const char* text) {
  if (options_.remarks && !frame_->function->is_prelude)
    options_.remarks->add({"inline", locs_.of(where.begin), fmt::format("'{}' {}", callee->name, text)});
}

// As commands and hosts call a parameter; one without a name, by its place.
static std::string argument_name(const FunctionDecl* kernel, const VarDecl* p) {
  if (!p->name.empty()) return std::string(p->name);
  std::string name = fmt::format("unnamed{}", p->index);
  while (std::ranges::any_of(kernel->parameters, [&](const VarDecl* other) { return other->name == name; }))
    name += '_';
  return name;
}

ParamInfo KernelLowering::describe(const VarDecl* p) const {
  ParamInfo info;
  info.name = argument_name(kernel_, p);
  const Type* value = p->type;
  if (value->is_pointer()) {
    value = value->element;
    while (value->is_array() || value->is_vector()) value = value->element;
    info.is_const = (p->type->pointee_qualifiers & Const) != 0;
    info.is_restrict = (p->qualifiers & Restrict) != 0;
    info.pointee = value->kind == TypeKind::Bool ? Elem::I8 : ir_type(value).elem;
    if (value->is_record() && value->is_complete()) info.pointee_size = static_cast<uint32_t>(value->size());
  }
  info.is_unsigned = value->is_integer() && !value->is_signed();
  info.is_half = value->kind == TypeKind::Half;
  return info;
}

// A vector or structure parameter is passed as its numbers.
void KernelLowering::take_in_parts(InlineFrame& frame, const VarDecl* p) {
  LValue whole = lvalue_of(storage_of(frame, p), p->type);
  each_number(p->type, 0, [&](uint64_t offset, const Type* type) {
    f_->params.push_back({.name = part_name(argument_name(kernel_, p), offset),
                          .pointee_size = static_cast<uint32_t>(p->type->size()),
                          .is_unsigned = type->is_integer() && !type->is_signed()});
    ValueId value = f_->add_param(f_->entry(), stored_type(type));
    if (type->kind == TypeKind::Bool) value = b_.make(Op::ne, kI1, {value, f_->constant(kI8, 0)});
    store(part_of(whole, offset, type), value);
  });
}

std::unique_ptr<Function> KernelLowering::run() {
  f_->name = std::string(kernel_->name);
  if (kernel_->has_reqd_size) std::copy_n(kernel_->reqd_size, 3, f_->reqd_local.begin());
  f_->reqd_sub_group = kernel_->reqd_sub_group;
  at(kernel_->range);
  start(f_->add_block());
  InlineFrame frame;
  frame.function = kernel_;
  frame.variables.resize(kernel_->variables);
  frame.labels.resize(kernel_->labels);
  frame_ = &frame;
  for (const VarDecl* p : kernel_->parameters) {
    if (p->type->is_vector() || p->type->is_record()) {
      take_in_parts(frame, p);
      continue;
    }
    f_->params.push_back(describe(p));
    ValueId value = f_->add_param(b_.block, ir_type(p->type));
    store(lvalue_of(storage_of(frame, p), p->type), value);
  }
  if (!plan_.is_pinned(kernel_)) lower_regions(plan_.regions_below(kernel_), kernel_->range);
  lower(kernel_->body);
  at({kernel_->body->range.end - 1, kernel_->body->range.end});
  b_.ret();
  if (failed_) return nullptr;
  finish();
  f_->files = locs_.files();
  return failed_ ? nullptr : std::move(f_);
}

// Lays out blocks in the order in which they were lowered, those of regions last, and erases unreachable
// ones.
void KernelLowering::finish() {
  f_->layout = started_;
  f_->layout.insert(f_->layout.end(), region_blocks_.begin(), region_blocks_.end());
  if (!regions_.empty()) close_regions();
  anchors_.remove_unused(*f_, started_);
  Cfg cfg(*f_);
  std::vector<BlockId> doomed;
  for (BlockId b : f_->layout)
    if (!cfg.reachable(b)) doomed.push_back(b);
  f_->erase_blocks(doomed);
  if (regions_.empty()) return;
  // In the graph, paths from the other calls of a region also lead to the block after a call, so definitions
  // before the call do not dominate it. Every path that a work-item takes passes the definition.
  cfg = Cfg(*f_);
  restore_dominance(*f_, f_->layout, DominatorTree(*f_, cfg), "carried");
  std::vector<RegionBlocks> blocks;
  for (Region& r : regions_) blocks.push_back(std::move(r.blocks));
  const std::vector<RegionCosts> costs = share_variables(*f_, blocks);
  std::map<const FunctionDecl*, RegionCosts> by_function;
  for (size_t i = 0; i < regions_.size(); ++i) {
    RegionCosts& sum = by_function[regions_[i].frame.function];
    sum.carried += costs[i].carried;
    sum.copies += costs[i].copies;
    carried_ += costs[i].carried;
  }
  for (const auto& [function, sum] : by_function)
    if (sum.carried * CostOfCarried > sum.copies && !function->shared_region) costly_.insert(function);
}

}  // namespace kc::front
