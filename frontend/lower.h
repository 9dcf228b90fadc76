// SPDX-License-Identifier: Apache-2.0
// Lowers checked syntax trees to thread IR, one kernel at a time.
//
// Every local is an IR variable; SSA construction is a later pass. Helpers are inlined: each call lowers the
// body again with fresh variables and a block to return to. A throw branches straight to the handler that its
// type selects, through inlined calls; only `throw;` of what `catch (...)` caught looks at what arrived.
// Unreachable blocks are built like others and dropped at the end.
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "frontend/ast.h"
#include "frontend/diagnostics.h"
#include "ir/function.h"

namespace kc::front {

class Lowering {
 public:
  Lowering(Diagnostics& diagnostics, bool contract)
      : diagnostics_(diagnostics), contract_(contract), f_(std::make_unique<Function>()), b_(*f_) {}
  // Null, with an error, if a budget is exceeded.
  std::unique_ptr<Function> run(FunctionDecl* kernel);

 private:
  static constexpr size_t MaxInstructions = 300'000;  // of one kernel with its helpers inlined
  static constexpr int MaxNesting = 2'500;            // of expressions, statements and calls together

  // One exception handler of one instance of a try statement.
  struct HandlerState {
    const Handler* handler = nullptr;
    BlockId block;
    VarId site;                                           // which throw arrived
    std::vector<std::pair<const Type*, VarId>> payloads;  // by type, in order of first arrival
    std::set<uint32_t> arrivals;                          // sites
  };
  struct TryContext {
    TryContext* outer = nullptr;
    std::vector<HandlerState> handlers;
  };
  struct ThrowSite {
    const Type* type;
    Loc loc;
  };
  // One activation of a function: the kernel, or an inlined call.
  struct Frame {
    FunctionDecl* function = nullptr;
    std::vector<VarId> variables;
    std::vector<BlockId> labels;
    std::map<const CaseStmt*, BlockId> cases;
    std::vector<BlockId> breaks, continues;
    HandlerState* handler = nullptr;  // the one being lowered, for `throw;`
    BlockId return_block;             // invalid in the kernel
    VarId result;
  };
  struct Place {  // of an lvalue
    VarId variable;
    ValueId address;
    const Type* type = nullptr;
  };
  struct Product {  // a multiplication that may become part of an fma
    ValueId left, right;
  };

  // lower.cpp
  void start(BlockId block);
  BlockId new_block(const char* hint) { return f_->add_block(hint); }
  void finish();
  bool over_budget(SourceRange where);
  void at(SourceRange where);
  Loc loc_of(SourceRange where) const;
  VarId variable(const VarDecl* v);
  ParamInfo describe(const VarDecl* p) const;
  ValueId zero(const Type* type);

  // lower_statement.cpp
  void lower(const Stmt* s);
  void lower_all(std::span<Stmt*> items);
  void lower_declaration(const DeclarationStmt* s);
  void lower_if(const IfStmt* s);
  void lower_while(const LoopStmt* s);
  void lower_for(const LoopStmt* s);
  void lower_do(const LoopStmt* s);
  void lower_loop_body(const Stmt* body, BlockId on_break, BlockId on_continue);
  void lower_switch(const SwitchStmt* s);
  void lower_goto(const GotoStmt* s);
  void lower_return(const ExpressionStmt* s);
  BlockId label_block(const LabelStmt* label);
  void enter_scopes(const VarDecl* from, const VarDecl* to);
  void after_jump();

  // lower_exception.cpp
  void lower_try(const TryStmt* s);
  void lower_handler(HandlerState& state);
  void lower_throw(const ExpressionStmt* s);
  void rethrow();
  void throw_to_handler(const Type* type, ValueId value, ValueId site, const std::set<uint32_t>& sites);
  void trap(const Type* type, ValueId value, ValueId site, const std::set<uint32_t>& sites);
  void trap_at(uint32_t site, ValueId value);
  VarId payload_of(HandlerState& state, const Type* type);

  // lower_expression.cpp
  ValueId lower(const Expr* e);  // its value; of void expressions an invalid id
  ValueId lower_inner(const Expr* e);
  void lower_condition(const Expr* e, BlockId if_true, BlockId if_false);
  ValueId lower_bit(const Expr* e);  // as i1
  ValueId lower_logical(const Expr* e);
  ValueId lower_unary(const UnaryExpr* e);
  ValueId lower_increment(const UnaryExpr* e);
  ValueId lower_assign(const AssignExpr* e);
  ValueId lower_conditional(const ConditionalExpr* e);
  Place place(const Expr* e);
  ValueId load(const Place& p);
  void store(const Place& p, ValueId value);

  // lower_arithmetic.cpp
  ValueId lower_chain(const Expr* e);
  ValueId arithmetic(BinaryOp op, const Type* type, ValueId l, ValueId r);
  ValueId compare(BinaryOp op, const Type* type, ValueId l, ValueId r);  // i1
  ValueId pointer_arithmetic(const BinaryExpr* e, ValueId l, ValueId r);
  ValueId element(ValueId pointer, const Type* type, ValueId index, bool negate);
  bool is_product(const Expr* e) const;
  bool fuses(BinaryOp op, const Type* type) const;
  Product lower_product(const Expr* e);
  ValueId fuse_left(BinaryOp op, const Product& p, ValueId addend);
  ValueId fuse_right(BinaryOp op, ValueId addend, const Product& p);
  ValueId convert(ValueId v, const Type* from, const Type* to);
  ValueId to_bit(ValueId v, const Type* from);

  // lower_call.cpp
  ValueId lower_call(const CallExpr* e);
  ValueId inline_call(const CallExpr* e);
  ValueId lower_builtin(const CallExpr* e);
  ValueId work_item(const BuiltinRow& row, const Expr* dimension);
  ValueId minimum(const Type* type, ValueId a, ValueId b, bool maximum);

  Diagnostics& diagnostics_;
  bool contract_;
  std::unique_ptr<Function> f_;
  Builder b_;
  std::vector<BlockId> started_;
  Frame* frame_ = nullptr;
  TryContext* try_ = nullptr;
  std::vector<ThrowSite> sites_;
  std::map<std::tuple<const Type*, uint32_t, uint32_t>, uint32_t> site_ids_;
  std::map<uint32_t, int64_t> trap_ids_;  // by site
  int nesting_ = 0;
  bool failed_ = false;
};

kc::Type ir_type(const Type* type);

}  // namespace kc::front
