// SPDX-License-Identifier: Apache-2.0
// Semantic analysis: resolves names and types, inserts implicit conversions, checks statements and jumps.
// Works in place on the tree, one function at a time. An erroneous expression gets the error type, which
// suppresses consequential errors.
#pragma once
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "frontend/parse/arena.h"
#include "frontend/parse/ast.h"
#include "frontend/sema/sema_parts.h"
#include "frontend/source/diagnostics.h"

namespace kc::front {

class Prelude;
struct GnuFunction;

class Sema : SemaState {
 public:
  Sema(Arena& arena, TypeTable& types, Diagnostics& diagnostics, const std::set<std::string_view>& tainted,
       Prelude* prelude = nullptr, bool single_literals = false, bool separate = false);
  /// `before`: the unit checked before this one, if they will be linked. Its constants keep their numbers.
  void run(TranslationUnit& unit, const TranslationUnit* before = nullptr);
  const Calls& calls() const { return calls_; }
  const Undefined& undefined() const { return undefined_; }

 private:
  enum class Use { Initialize, Assign, Pass, Return };

  // sema_type.cpp
  Qualified resolve_specifiers(const SpecifierList& list, SourceRange where);
  const Type* type_of(const TypeShape& shape);
  const Type* type_of_operand(Specifier* s);
  const Type* type_from_words(const SpecifierList& list, SourceRange where);
  Qualified resolve_declarator(Qualified base, const Declarator* d, DeclaratorPart* end, bool is_parameter);
  Qualified pointer_to(Qualified base, const SpecifierList& qualifiers, SourceRange range);
  Qualified array_of(Qualified element, DeclaratorPart* part);
  std::optional<uint64_t> array_length(DeclaratorPart* part);
  Qualified too_nested(SourceRange range);
  const Type* resolve_type_name(TypeName* name);
  uint32_t requested_align(const SpecifierList& attributes);

  // sema_record.cpp
  const Type* resolve_record(RecordSpecifier* r, Specifier* following);
  void define_record(RecordSpecifier* r, Specifier* following);
  void add_field(Record& record, const RecordSpecifier& r, FieldDecl* f);
  void place_field(Record& record, Field field, bool bad, uint32_t align);
  const Type* resolve_enum(EnumSpecifier* e);
  const Type* define_enum(EnumSpecifier* e);
  Tag* find_tag(std::string_view name);
  void declare_tag(std::string_view name, Tag tag);

  // sema_declaration.cpp
  void declare_local(VarDecl*v), declare_global(VarDecl*v);
  void declare_typedef(VarDecl* v, const Qualified& q);
  bool declared_before(VarDecl* v);
  void declare_nothing(VarDecl* v);
  void declare_prototype(VarDecl* v);
  void check_static_assertion(VarDecl* v);
  void check_static_local(VarDecl* v, Qualified& q, SourceRange word);
  bool deduce_type(VarDecl* v, Qualified& q);
  uint32_t align_of(const VarDecl* v, const Qualified& q);
  const Type* vector_by_attribute(const VarDecl* v);
  void check_object(VarDecl* v, const Qualified& q);
  void check_space(VarDecl* v, const Qualified& q);

  // sema_initializer.cpp
  void check_initializer(VarDecl* v);
  void check_list(InitListExpr* list, const Type* type);
  uint64_t fill(InitListExpr* list, InitPart object);
  void fill_part(Expr* value, InitPart part);
  void warn_of_excess(Expr* value, const Type* object);
  void add_step(Expr* value, InitPart part);
  uint64_t add_text(StringExpr* e, InitPart part);
  void forget_steps(InitPart object);
  InitPart enter_part(InitPart& object, SourceRange where);
  bool designate(DesignatedExpr* e, std::vector<InitPart>& levels, uint64_t& repeated);
  std::optional<uint64_t> designated_index(Expr*& e, const Type* type, SourceRange where);
  void repeat_steps(size_t before, InitPart& array, uint64_t count);
  Expr* check_compound_literal(CompoundLiteralExpr* e);

  // sema_constant.cpp
  void write_constant(std::span<uint8_t> bytes, uint64_t offset, const Type* type, const Expr* value);
  void evaluate_constant(VarDecl* v);

  // sema_constant_address.cpp
  std::optional<uint64_t> place_of_object(VarDecl* v);
  std::optional<uint64_t> constant_place(const Expr* e);
  std::optional<uint64_t> constant_address(const Expr* e);

  // sema_function.cpp
  void declare_function(FunctionDecl* f);
  void declare_parameters(FunctionDecl* f, DeclaratorPart* part);
  void check_kernel_parameter(VarDecl* p, const SpecifierList& specifiers);
  void check_specifiers(FunctionDecl* f);
  void check_attribute(FunctionDecl* f, const Attribute& a);
  void check_reqd_size(FunctionDecl* f, const Attribute& a);
  void check_sub_group_size(FunctionDecl* f, const Attribute& a);
  void merge_inlining(FunctionDecl* old, FunctionDecl* f);
  static const char* inlining_conflict(const FunctionDecl* f);
  FunctionDecl* declared_before(FunctionDecl* first, const FunctionDecl* f);
  void merge_function(FunctionDecl* old, FunctionDecl* f);

  // sema.cpp: scopes
  void push_scope() {
    scopes_.emplace_back();
    tag_scopes_.emplace_back();
    visible_at_scope_.push_back(visible_);
  }
  void pop_scope();
  bool declare(std::string_view name, SourceRange range, Symbol symbol);
  Symbol* find(std::string_view name);
  void undeclared(const char* what, std::string_view name, SourceRange range,
                  std::vector<std::string_view> candidates);
  std::vector<std::string_view> visible_names(bool callable);
  void add_local(VarDecl* v);
  void beyond_standard(SourceRange range, std::string_view what);  // -Wpedantic
  Diagnostic& unsupported(SourceRange range, const std::string& what);
  bool report_missing_feature(SourceRange range, std::string_view name);  // true if reported

  // sema_statement.cpp
  void check_function(FunctionDecl* f);
  void check_stmt(Stmt*& s);
  void check_body(Stmt*& s);
  void check_condition(Expr*& e);
  void check_loop(LoopStmt* s);
  void check_unroll_hint(LoopStmt* s);
  void check_switch(SwitchStmt* s);
  void check_case(CaseStmt* s);
  bool check_case_value(CaseStmt* s, const Type* type);
  void check_label(LabelStmt* s);
  void check_return(ExpressionStmt* s);
  void check_throw(ExpressionStmt* s);
  void check_try(TryStmt* s);
  void check_handler(Handler* h, uint32_t outer_region);
  void check_break(Stmt* s);
  void check_gotos();
  void open_region(JumpRegion::Kind kind);

  // sema_expression.cpp, sema_literal.cpp
  Expr* check(Expr* e);        // sets the types; the result may be an lvalue
  Expr* check_value(Expr* e);  // requires an rvalue: not void; arrays decay to pointers
  Expr* check_number(NumberExpr* e);
  Expr* check_float(NumberExpr* e, std::string text);
  Expr* check_character(NumberExpr* e);
  Expr* check_string(StringExpr* e);
  Expr* check_name(NameExpr* e);
  Expr* check_function_name(NameExpr* e);
  Expr* check_unary(UnaryExpr* e);
  Expr* check_increment(UnaryExpr* e);
  Expr* check_binary(BinaryExpr* e);
  Expr* finish_binary(BinaryExpr* e);
  Expr* finish_additive(BinaryExpr* e);
  Expr* finish_comparison(BinaryExpr* e);
  Expr* check_assign(AssignExpr* e);
  Expr* check_conditional(ConditionalExpr* e);
  Expr* check_cast(CastExpr* e);
  Expr* check_sizeof(SizeofExpr* e);
  bool check_modifiable(Expr* e, uint32_t at);
  Expr* invalid_operands(BinaryExpr* e);
  Expr* failed(Expr* e);

  // sema_memory.cpp
  Expr* decay(Expr* e);
  void take_address(Expr* e);
  Expr* check_address(UnaryExpr* e);
  Expr* dereference(Expr* e, const Type* pointer, SourceRange where);
  bool check_steps(const Type* pointer, uint32_t at, SourceRange range);
  Expr* check_index(IndexExpr* e);
  Expr* check_member(MemberExpr* e);
  Expr* check_statement_expression(StatementExpr* e);

  // sema_vector.cpp
  Expr* check_swizzle(MemberExpr* e);
  Expr* check_component(IndexExpr* e);
  Expr* make_vector(const Type* type, std::span<Expr*> items, const Expr* whole);
  Expr *zero_of(const Type*type, SourceRange range), *vector_of_list(InitListExpr*list, const Type*type);
  Expr* check_vector_cast(CastExpr* e, const Type* to);
  Expr* widen(Expr* e, const Type* vector);

  // sema_elementwise.cpp
  ElementwiseExpr* open_elementwise(const Expr* whole);
  Expr* component_of(ElementwiseExpr* w, Expr* e);
  Expr* close_elementwise(ElementwiseExpr* w, Expr* scalar, unsigned length);
  Expr* mask(Expr* truth, const Type* type);
  const Type* mask_type(const Type* type);
  Expr* check_vector_unary(UnaryExpr* e);
  Expr* check_vector_binary(BinaryExpr* e);
  Expr* check_vector_assign(AssignExpr* e);
  Expr* check_vector_select(ConditionalExpr* e);
  Expr* choose(Expr* condition, Expr* if_true, Expr* if_false, SourceRange range);

  // sema_call.cpp
  Expr* check_call(CallExpr* e);
  Expr* check_conversion(CallExpr* e, NameExpr* callee);
  Expr* call_builtin_named(CallExpr* e, std::string_view name);
  Expr* call_gnu_builtin(CallExpr* e, const GnuFunction& f);
  Expr* call_function(CallExpr* e, FunctionDecl* f);
  FunctionDecl* choose_overload(CallExpr* e, FunctionDecl* first);
  Expr* refuse_overload(CallExpr* e, const FunctionDecl* first);
  bool check_count(CallExpr* e, size_t expected, SourceRange declared);

  // sema_builtin.cpp
  Expr* call_builtin(CallExpr* e, const BuiltinRow* row);
  Expr* bind_prelude(Expr* e);
  Expr* call_mixed(CallExpr* e);
  Expr* call_sub_group(CallExpr* e);
  Expr* call_work_group(CallExpr* e);
  Expr* call_atomic(CallExpr* e);
  Expr* call_atomic_object(CallExpr* e);
  Expr* refuse_atomic_space(CallExpr* e);
  Expr *call_async(CallExpr*e), *call_bytes(CallExpr*e);
  Expr* call_integer_dot(CallExpr* e);
  Expr* refuse_arguments(CallExpr* e, std::string_view hint = {});
  const Type* common_float(std::span<Expr*> arguments);
  const Type* common_integer(std::span<Expr*> arguments);
  const Type* common_number(std::span<Expr*> arguments);
  const Type* unsigned_type(const Type* type);

  // sema_printf.cpp, sema_vector_builtin.cpp
  Expr* call_printf(CallExpr* e);
  Expr* call_elementwise(CallExpr* e);
  const Type* deciding_vector(const CallExpr* e);
  bool widen_arguments(CallExpr* e, const Type* vector);
  Expr* select_elementwise(CallExpr* e, const Type* vector);
  Expr* call_of_vectors(CallExpr* e);
  Expr* call_geometric(CallExpr* e);
  Expr* call_shuffle(CallExpr* e);
  Expr* call_conversion(CallExpr* e, const Conversion& conversion);
  Expr* call_reinterpretation(CallExpr* e, const Type* to);
  Expr* call_access(CallExpr* e, const VectorAccess& access);

  // sema_convert.cpp
  Expr* convert(Expr* e, const Type* to);
  Expr* promote(Expr* e) { return convert(e, promoted(e->type)); }
  const Type* promoted(const Type* type);
  const Type* common_type(const Type* a, const Type* b);
  Expr* coerce(Expr* e, const Type* to, Use use, SourceRange where, const VarDecl* parameter = nullptr);
  Diagnostic& refuse_coercion(Expr* e, const Type* to, Use use, SourceRange where, const char* why);
  bool is_null_constant(const Expr* e) const;
  void set_constant(Expr* e, int64_t value);
  void fold_binary(BinaryExpr* e);
  void fold_unary(UnaryExpr* e);
  int64_t canonical(int64_t value, const Type* type) const;
};

}  // namespace kc::front
