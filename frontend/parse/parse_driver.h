// SPDX-License-Identifier: Apache-2.0
// The parser's driver: feeds tokens to the grammar, builds the nodes for its actions, and selects the point
// to resume at after a syntax error. Maintains the scoped set of typedef names.
#pragma once
#include <initializer_list>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>

#include "frontend/parse/arena.h"
#include "frontend/parse/token_window.h"
#include "frontend/source/diagnostics.h"
#include "frontend/source/token.h"

namespace kc::front {

class ParseDriver {
 public:
  ParseDriver(TokenSource& source, Arena& arena, Diagnostics& diagnostics);
  // The tree; empty if an included file is missing.
  TranslationUnit parse();
  // Names that occur in text skipped after a syntax error; they are not reported as undeclared.
  const std::set<std::string_view>& tainted_names() const { return tainted_; }

  // The token feed: the kind of the next symbol; sets what it carries and where it is.
  TokenKind next_symbol(SymbolValue& value, SourceRange& range);

  // Syntax errors.
  void report(SourceRange range, const std::string& message) { diagnostics_.error(range, message); }
  void syntax_error(const std::vector<Parser::symbol_kind_type>& expected);
  bool recovered();  // false: give up

  // Scopes of typedef names.
  void push_scope() { scopes_.emplace_back(); }
  void pop_scope();
  void open_block(bool is_record = false);
  void open_record() { open_block(true); }
  void close_block();

  // Declarations.
  template <class Value>
  Specifier* specifier(SpecifierKind kind, Value value, SourceRange range, std::string_view name = {}) {
    return arena_.make(Specifier{kind, range, name, static_cast<uint8_t>(value), {}, nullptr});
  }
  Specifier* unsupported_type(std::string_view name, SourceRange range);
  Specifier* record_type(RecordSpecifier* record, SourceRange range);
  Specifier* enum_type(EnumSpecifier* enumeration, SourceRange range);
  Specifier* type_of(TypeName* type, Expr* expression, SourceRange range);
  RecordSpecifier* record_head(bool is_union, SpecifierList attributes, SourceRange range);
  RecordSpecifier* tag(RecordSpecifier* record, std::string_view name, SourceRange range);
  RecordSpecifier* fields(RecordSpecifier* record, Chain<FieldDecl*> fields);
  FieldDecl* field(SpecifierList specifiers, Declarator* d, Expr* width, SourceRange range);
  EnumSpecifier* enumeration(std::string_view tag, Chain<EnumConstant> constants, bool has_body,
                             SourceRange range);
  EnumConstant* enumerator(std::string_view name, Expr* value, SourceRange range);
  SpecifierList append(SpecifierList list, Specifier* s);
  template <class T>
  Chain<T> list(T item) {
    return arena_.append({}, item);
  }
  template <class T>
  Chain<T> append(Chain<T> list, T item) {
    return arena_.append(list, item);
  }
  Specifier* attribute_list(Chain<Attribute> list, SourceRange range);
  Attribute* attribute(std::string_view name, Chain<Expr*> arguments, SourceRange range);
  DeclaratorPart* pointer(DeclaratorPart* inner, SpecifierList qualifiers, SourceRange range);
  DeclaratorPart* array(SpecifierList words, Expr* length, SourceRange range);
  Declarator* declarator(std::string_view name, SourceRange range);
  Declarator* suffix(Declarator* d, DeclaratorPart* part);
  Declarator* function(Declarator* d, Chain<TypeName*> parameters, SourceRange range);
  Declarator* pointer_to(Declarator* d, DeclaratorPart* pointers, SourceRange range);
  TypeName* type_name(SpecifierList specifiers, Declarator* d, SourceRange range);
  VarDecl* variable(Declarator* d, SpecifierList attributes, Expr* initializer);
  VarDecl* declare(SpecifierList specifiers, VarDecl* variable);
  Stmt* declaration(Chain<VarDecl*> variables, SourceRange range);
  Stmt* static_assertion(Expr* condition, Expr* message, SourceRange range);
  Stmt* empty_declaration(SpecifierList specifiers, SourceRange range);
  FunctionDecl* begin_function(SpecifierList specifiers, Declarator* d, SpecifierList attributes);
  void end_function(FunctionDecl* function, Stmt* body);
  void top_level(Stmt* declaration);

  // Expressions.
  Expr* literal(ExprKind kind, std::string_view text, SourceRange range);
  Expr* string(Chain<StringPiece> pieces, SourceRange range);
  Expr* name(std::string_view name, SourceRange range);
  Expr* parenthesized(Expr* e, SourceRange range);
  Expr* unary(UnaryOp op, Expr* operand, SourceRange op_range, SourceRange range);
  Expr* binary(BinaryOp op, Expr* left, Expr* right, SourceRange op_range, SourceRange range);
  Expr* assign(bool compound, BinaryOp op, Expr* left, Expr* right, SourceRange op_range, SourceRange range);
  Expr* conditional(Expr* condition, Expr* t, Expr* f, SourceRange op_range, SourceRange range);
  Expr* value_or(Expr* value, Expr* other, SourceRange op_range, SourceRange range);
  Expr* cast(TypeName* to, Expr* operand, SourceRange range);
  Expr* size_of(SizeofWord word, TypeName* type, Expr* operand, SourceRange range);
  Expr* call(Expr* callee, Chain<Expr*> arguments, SourceRange range);
  Expr* conversion(std::string_view prefix, Expr* e, TypeName* to, SourceRange where, SourceRange range);
  Expr* index(Expr* base, Expr* index, SourceRange range);
  Expr* member(Expr* base, std::string_view member, bool arrow, SourceRange op_range, SourceRange range);
  Expr* init_list(Chain<Expr*> items, SourceRange range);
  Designator* designator(std::string_view member, Expr* index, Expr* last, SourceRange range);
  Expr* designated(Chain<Designator> designators, Expr* value, SourceRange range);
  Expr* compound_literal(TypeName* type, Expr* list, SourceRange range);
  Expr* statement_expression(Stmt* body, SourceRange range);

  // Statements.
  Stmt* null_statement(SourceRange range) { return simple(StmtKind::Null, range); }
  Stmt* attributed(const SpecifierList& attributes, Stmt* s);
  Stmt* error_statement(SourceRange range) { return simple(StmtKind::Error, range); }
  Stmt* simple(StmtKind kind, SourceRange range);
  Stmt* expression(StmtKind kind, Expr* e, SourceRange range);
  Stmt* compound(Chain<Stmt*> items, SourceRange range);
  Stmt* labeled(Chain<Stmt*> labels, Stmt* body, SourceRange range);
  Stmt* label(std::string_view name, SourceRange range);
  Stmt* case_label(Expr* value, Expr* last, SourceRange range);
  Stmt* if_statement(Expr* condition, Stmt* then_body, Stmt* else_body, SourceRange range);
  Stmt* switch_statement(Expr* value, Stmt* body, SourceRange range);
  Stmt* while_loop(Expr* condition, Stmt* body, SourceRange range);
  Stmt* do_loop(Stmt* body, Expr* condition, SourceRange range);
  Stmt* for_loop(Stmt* init, Expr* condition, Expr* step, Stmt* body, SourceRange range);
  Stmt* goto_statement(std::string_view label, SourceRange label_range, SourceRange range);
  Stmt* try_statement(Stmt* body, Chain<Handler*> handlers, SourceRange range);
  Handler* handler_head(TypeName* parameter, SourceRange range);
  Handler* handler(Handler* head, Stmt* body);

 private:
  struct Bracket {
    size_t token;
    bool of_try;  // the body of a try, or the parentheses or body of a catch
  };
  struct Block {
    size_t brackets;
    size_t scopes;
    bool is_record;
  };

  void give_up();
  void track_brackets(size_t i);
  void obey_pragmas(size_t i);
  void obey_pack(const Pragma& p);
  void take_unroll_hint(size_t i);
  LoopStmt* loop(StmtKind kind, Expr* condition, Stmt* body, SourceRange range);
  bool names_builtin_type(size_t i, TypeWord word) const;
  bool is_attribute(size_t i) const;
  bool may_begin_type() const;
  TokenKind classify(size_t i, int& value) const;
  bool starts_throw(size_t i) const;
  void declare_name(std::string_view name, bool is_typedef);
  const bool* find_name(std::string_view name) const;  // whether it is a typedef name; null if undeclared
  Expr* checked(Expr* e, int depth);
  Stmt* checked(Stmt* s, std::initializer_list<int> depths);
  bool too_deep(SourceRange range, int depth);

  struct SyntaxReport {
    std::string message;
    SourceRange where;
    size_t opener = SIZE_MAX;  // the unclosed bracket
    SourceRange replaced;      // by `replacement`, unless that is empty
    std::string replacement = {};
    std::string key = {};  // only the first report of a key is shown
  };
  void report(const SyntaxReport& report, bool from_macro);
  std::optional<SyntaxReport> other_dialect(size_t at) const, unfinished_definition(size_t at) const;
  SyntaxReport describe_error(const std::vector<Parser::symbol_kind_type>& expected) const;
  SyntaxReport describe_declaration(size_t at) const;
  SyntaxReport missing_type(size_t at) const;
  SyntaxReport unknown_type(size_t at) const;
  std::string_view meant_statement(size_t at, size_t& word) const;
  SyntaxReport missing_semicolon(size_t at) const;
  SyntaxReport missing_operand(size_t at, const std::vector<Parser::symbol_kind_type>& expected) const;
  size_t statement_start(size_t at) const;
  bool ends_do(size_t at) const;
  SyntaxReport missing_bracket(size_t at, char bracket) const;
  std::string_view nearest_type(const Token& name) const;
  bool is_unknown_type(size_t i) const;
  bool outside_bodies() const { return blocks_.empty() || blocks_.back().is_record; }
  const char* after_what(size_t at) const;
  size_t find_resume_point(size_t at, bool expects_semicolon) const;
  bool semicolon_of_for(size_t open, size_t at) const;
  size_t skip_braces(size_t at) const;

  mutable TokenWindow tokens_;                // to look ahead reads more, and changes nothing else
  size_t next_pragma_ = 0;                    // of those before tokens still to come
  std::vector<Contraction> contraction_{{}};  // for each open brace, innermost last
  std::vector<uint32_t> pack_{0};   // the most alignment of members by `#pragma pack`, innermost last; 0: any
  const Pragma* unroll_ = nullptr;  // for the loop that starts here
  std::unordered_map<uint32_t, uint32_t> unroll_hints_;  // by position of the loop's keyword
  Arena& arena_;
  Diagnostics& diagnostics_;
  std::vector<TopLevel> items_;
  std::set<std::string_view> tainted_;

  size_t next_ = 0;          // the next token to feed
  bool recovering_ = false;  // feed a Recover first
  bool gave_up_ = false;
  size_t last_resume_ = SIZE_MAX;
  size_t last_error_ = SIZE_MAX;
  std::vector<Bracket> brackets_;  // open ones, without the last fed token
  size_t untracked_ = SIZE_MAX;    // that token
  TokenKind previous_kind_ = Tok::TokEnd;
  size_t typedef_brackets_ = SIZE_MAX;  // brackets open around the present typedef, if there is one
  bool closed_try_ = false;             // the last closed bracket belonged to a try or a catch
  std::vector<Block> blocks_;

  std::vector<std::vector<std::string_view>> scopes_;
  std::unordered_map<std::string_view, std::vector<bool>> names_;  // innermost declaration last
  std::unordered_map<std::string_view, std::string_view> tags_;    // the word before each: "struct"
  bool reported_depth_ = false;
};

}  // namespace kc::front
