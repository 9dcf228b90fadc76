// SPDX-License-Identifier: Apache-2.0
// Lowers checked syntax trees to thread IR, one kernel at a time.
//
// A number whose address is never taken is an IR variable; a vector or a small struct is one IR variable for
// each of its numbers. A later pass builds SSA form. All other data is in memory. An inlined call lowers the
// body again with fresh variables and, unless its only return is at its end, a return block. A shared region
// is lowered once; a call passes it a number that selects the return target. A throw branches directly to the
// handler for its type; `throw;` and calls of regions dispatch on the exception that arrived.
#pragma once
#include <algorithm>
#include <array>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <unordered_map>
#include <vector>

#include "frontend/frontend.h"
#include "frontend/lower/call_plan.h"
#include "frontend/lower/convergence_anchors.h"
#include "frontend/lower/inline_frame.h"
#include "frontend/lower/lowered_types.h"
#include "frontend/lower/share_variables.h"
#include "frontend/lower/source_locs.h"
#include "frontend/parse/ast.h"
#include "frontend/sema/builtins.h"
#include "frontend/source/diagnostics.h"
#include "ir/function.h"

namespace kc::front {

class KernelLowering {
 public:
  KernelLowering(TypeTable& types, SourceLocs& locs, Diagnostics& diagnostics, const TranslationUnit& unit,
                 FunctionDecl* kernel, const FrontendOptions& options, const CostlyFunctions& costly);
  std::unique_ptr<Function> run();                           // null with an error if a limit is exceeded
  uint64_t carried() const { return carried_; }              // arguments that calls of shared regions pass
  const CostlyFunctions& costly() const { return costly_; }  // better copied than called, for that reason

 private:
  friend class WorkGroupCall;
  static constexpr size_t MaxInstructions = 1'000'000;  // per kernel, with its helpers inlined
  static constexpr int MaxNesting = 2'500;              // of expressions, statements and calls together
  // lower.cpp
  void start(BlockId block);
  BlockId new_block(const char* hint) { return f_->add_block(hint); }
  void finish();
  void remark(SourceRange where, const FunctionDecl* callee, const char* text);
  bool over_budget(SourceRange where) {
    return failed_ || ((too_large() || nesting_ > MaxNesting) && give_up(where));
  }
  bool too_large() const {
    return std::max({f_->inst_count(), f_->vars.size(), f_->objects.size()}) > MaxInstructions;
  }
  bool give_up(SourceRange where);  // reports the exceeded limit; returns true
  void at(SourceRange where);
  SourceRange outside_prelude(SourceRange where) const;
  ParamInfo describe(const VarDecl* p) const;
  void take_in_parts(InlineFrame& frame, const VarDecl* p);
  void each_number(const Type* type, uint64_t offset,
                   const std::function<void(uint64_t offset, const Type* type)>& visit) const;
  Value zero(const Type* type);  // of a type with parts
  // lower_statement.cpp
  void lower(const Stmt* s);
  void lower_all(std::span<Stmt*> items);
  void lower_block(const CompoundStmt* s);
  void lower_declaration(const DeclarationStmt* s);
  void lower_if(const IfStmt* s);
  void lower_while(const LoopStmt*s), lower_for(const LoopStmt*s), lower_do(const LoopStmt*s);
  void lower_loop_body(const Stmt* body, BlockId on_break, BlockId on_continue);
  void end_loop(size_t first, size_t end, BlockId exit);
  void lower_switch(const SwitchStmt* s);
  void dispatch(ValueId value, const SwitchStmt* s, const std::map<const CaseStmt*, BlockId>& entries,
                BlockId otherwise);
  void lower_goto(const GotoStmt* s);
  void lower_return(const ExpressionStmt* s);
  BlockId label_block(const LabelStmt* label);
  void enter_scopes(const VarDecl* from, const VarDecl* to);
  void after_jump();
  // lower_exception.cpp
  void lower_try(const TryStmt* s);
  void lower_handler(HandlerState& state);
  void lower_throw(const ExpressionStmt* s);
  void rethrow(HandlerState& state);
  void arrive(HandlerState& state, const Type* type, const Value& value, ValueId site,
              const std::set<uint32_t>& sites);
  void throw_to_handler(const Type* type, const Value& value, ValueId site, const std::set<uint32_t>& sites);
  void trap(ValueId value, ValueId site, const std::set<uint32_t>& sites);
  void trap_at(uint32_t site, ValueId value);
  LValue payload_of(HandlerState& state, const Type* type);

  // lower_expression.cpp
  Value lower(const Expr* e);
  Value lower_inner(const Expr* e);
  void lower_condition(const Expr* e, BlockId if_true, BlockId if_false);
  ValueId lower_bit(const Expr* e);  // as i1
  ValueId lower_logical(const Expr* e);
  Value argument_of(const Expr* e);
  Value lower_member(const MemberExpr* e);
  Value lower_unary(const UnaryExpr* e);
  Value lower_increment(const UnaryExpr* e);
  ValueId stepped(const UnaryExpr* e, const Type* type, ValueId old);
  Value lower_assign(const AssignExpr* e);
  Value lower_conditional(const ConditionalExpr* e);
  Value lower_statement_expression(const StatementExpr* e);

  // lower_vector.cpp, lower_vector_builtin.cpp, lower_half.cpp
  LValue component(const LValue& vector, unsigned i);
  LValue swizzled(const MemberExpr* e);
  Value lower_swizzle(const MemberExpr* e);
  Value lower_vector_literal(const VectorLiteralExpr* e);
  Value lower_elementwise(const ElementwiseExpr* e);
  ValueId lower_component(const ComponentExpr* e);
  Value lower_of_vectors(const CallExpr* e);
  Value reinterpret(const Value& v, const Type* from, const Type* to);
  Value lower_access(const CallExpr* e);
  ValueId from_half(ValueId half);
  ValueId to_half(ValueId x, Rounding rounding);

  // lower_memory.cpp
  ObjectId add_object(std::string_view name, const Type* type, AddressSpace space, uint32_t align);
  VarId add_variables(std::string_view name, const Type* type);
  VariableStorage add_storage(std::string_view name, const Type* type);
  VariableStorage storage_of(InlineFrame& frame, const VarDecl* v);
  LValue lvalue_of(VariableStorage s, const Type* type);
  LValue lvalue(const Expr* e);
  LValue part_of(const LValue& whole, uint64_t offset, const Type* type);
  ValueId offset_by(ValueId address, uint64_t bytes);
  CachedValue& cached(VarId v);
  ValueId get(VarId v);
  void set(VarId v, ValueId value);
  Value load(const LValue& p);
  void store(const LValue& p, const Value& value);
  void initialize(const LValue& p, const Expr* value);
  template <class Body>
  void counted_loop(ValueId count, Body body);
  template <size_t N, class Visit>
  void each_scalar(std::array<ValueId, N> addresses, const Type* type, Visit visit);
  template <size_t N, class Visit>
  void each_element(std::array<ValueId, N> addresses, const Type* element, uint64_t count, Visit visit);
  void copy(ValueId to, ValueId from, const Type* type, Op load = Op::load, Op store = Op::store);
  void clear(ValueId at, const Type* type, uint64_t count);
  void fill(const LValue& p, const InitListExpr* list);
  void clear_rest(ValueId address, const Type* type, uint64_t offset, const std::vector<ByteRange>& covered);

  // lower_constant.cpp, lower_packed.cpp
  ObjectId constant_object(const VarDecl* v);
  bool is_numbered(const Type* type, ValueId address) const;
  ValueId numbered_address(ValueId place);
  ValueId text_at(ValueId pointer);
  ValueId load_in_pieces(const LValue& p);
  void store_in_pieces(const LValue& p, ValueId value);
  ValueId copy_of(const LValue& p);
  const Type* pieces(const LValue& p) const;

  // lower_arithmetic.cpp
  Value lower_chain(const Expr* e);
  ValueId arithmetic(BinaryOp op, const Type* type, ValueId l, ValueId r);
  ValueId compare(BinaryOp op, const Type* type, ValueId l, ValueId r);  // i1
  ValueId pointer_arithmetic(const BinaryExpr* e, ValueId l, ValueId r);
  ValueId element(ValueId pointer, const Type* type, ValueId index, bool negate);
  bool is_product(const Expr* e) const;
  bool fast_math() const;
  bool fuses(const Expr* e, BinaryOp op, const Type* type) const;
  Product lower_product(const Expr* e);
  ValueId fuse_left(BinaryOp op, const Product& p, ValueId addend);
  ValueId fuse_right(BinaryOp op, ValueId addend, const Product& p);
  ValueId convert(ValueId v, const Type* from, const Type* to);
  ValueId to_bit(ValueId v, const Type* from);

  // lower_call.cpp
  Value lower_call(const CallExpr* e);
  Value inline_call(const CallExpr* e);
  ValueId lower_builtin(const CallExpr* e);
  ValueId work_item(const BuiltinRow& row, const Expr* dimension);
  ValueId minimum(const Type* type, ValueId a, ValueId b, bool maximum);
  ValueId number_builtin(const BuiltinRow& row, const Type* type, std::span<const ValueId> v);

  // lower_region.cpp
  void lower_regions(std::span<FunctionDecl* const> functions, SourceRange where);
  void lower_region(FunctionDecl* function);
  Value call_region(const CallExpr* e, Region& region);
  std::vector<bool> reached_blocks() const;
  void close_regions();
  void leave_region(const Region& region, BlockId from, BlockId RegionCall::*to,
                    const std::vector<bool>& reached);

  // lower_sync.cpp, lower_printf.cpp
  int64_t trap_site(TrapKind kind, std::string text);
  void lower_barrier(const CallExpr*e), lower_assert(const CallExpr*e);
  ValueId lower_atomic(const CallExpr*e), lower_atomic_object(const CallExpr*e);
  ValueId lower_async_copy(const CallExpr* e);
  void lower_bytes(const CallExpr* e);
  ValueId integer_dot(const BuiltinRow& row, std::span<const ValueId> v);
  ValueId lower_printf(const CallExpr* e);
  ValueId printf_text(const Expr* e);

  // lower_sub_group.cpp, lower_work_group.cpp
  ValueId lower_sub_group(const CallExpr*e), lower_work_group(const CallExpr*e);
  Value lower_ballot(const CallExpr* e);
  ValueId cross_lane(Op op, kc::Type type, ValueList operands, std::initializer_list<int64_t> attrs = {});
  ValueId lane_of(const BuiltinRow& row, ValueId lane);
  void anchor_in_loops();

  // lower_integer.cpp, lower_float.cpp
  ValueId integer_builtin(const BuiltinRow& row, const Type* type, std::span<const ValueId> v);
  ValueId bitselect(const Type* type, std::span<const ValueId> v);
  ValueId saturate(ValueId v, const Type* from, const Type* to);
  ValueId float_builtin(const BuiltinRow& row, const Type* type, std::span<const ValueId> v);
  ValueId float_test(const BuiltinRow& row, const Type* type, std::span<const ValueId> v);
  ValueId split_float(const BuiltinRow& row, const Type* type, ValueId x, ValueId target);
  ValueId round_to_float(ValueId x, Rounding rounding);
  ValueId round_from_integer(ValueId x, const Type* from, const Type* to, Rounding rounding);
  ValueId lower_conversion(ValueId v, const Type* from, const Type* to, const Conversion& c);

  TypeTable& types_;
  SourceLocs& locs_;
  Diagnostics& diagnostics_;
  const TranslationUnit& unit_;
  const FrontendOptions& options_;
  FunctionDecl* kernel_;
  CallPlan plan_;
  std::unique_ptr<Function> f_;
  Builder b_;
  std::vector<BlockId> started_, region_blocks_;
  std::vector<CachedValue> cached_;  // by variable
  InlineFrame* frame_ = nullptr;
  TryContext* try_ = nullptr;
  ConvergenceAnchors anchors_;
  std::deque<Region> regions_;
  std::map<const FunctionDecl*, Region*> open_regions_;  // those that calls from here can enter
  Region* region_ = nullptr;                             // the region being lowered
  std::vector<ThrowSite> sites_;
  std::map<std::tuple<const Type*, Loc>, uint32_t> site_ids_;
  std::map<std::tuple<TrapKind, Loc, std::string>, int64_t> trap_ids_;
  std::map<const VarDecl*, ObjectId> constants_;
  std::map<std::string, ObjectId> formats_;  // printf format strings
  std::array<ObjectId, 2> group_memory_;     // of work-group functions, for elements of 4 and 8 bytes
  SourceRange here_, prelude_call_;          // the code being lowered; the call that led into the prelude
  std::unordered_map<const ComponentExpr*, Value> operands_;  // of the enclosing elementwise expressions
  unsigned component_ = 0;                                    // the component being computed
  uint64_t private_bytes_ = 0, local_bytes_ = 0, carried_ = 0;
  int nesting_ = 0;
  CostlyFunctions costly_;
  bool failed_ = false, in_run_ = false;
};

}  // namespace kc::front
