// SPDX-License-Identifier: Apache-2.0
#include "tests/mutants/find.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Frontend/ASTUnit.h>
#include <clang/Lex/Lexer.h>

#include <array>
#include <optional>
#include <random>
#include <set>

namespace kc::mutants {
namespace {

using namespace clang;

// Opcodes that have the same operands, by a part of their names.
constexpr std::array<std::pair<std::string_view, std::string_view>, 22> kPairs{{
    {"add", "sub"},   {"sub", "add"},   {"and", "or"},    {"or", "and"},   {"smin", "smax"},
    {"smax", "smin"}, {"umin", "umax"}, {"umax", "umin"}, {"shl", "lshr"}, {"lshr", "ashr"},
    {"ashr", "lshr"}, {"zext", "sext"}, {"sext", "zext"}, {"slt", "sle"},  {"sle", "slt"},
    {"ult", "ule"},   {"ule", "ult"},   {"eq", "ne"},     {"ne", "eq"},    {"_i32", "_u32"},
    {"_u32", "_i32"}, {"any", "all"},
}};

// Calls that change no result: room that is taken in time, and remarks for readers.
constexpr std::array<std::string_view, 3> kHarmless{"reserve", "shrink_to_fit", "remark"};

class Finder : public RecursiveASTVisitor<Finder> {
 public:
  Finder(ASTContext& context, uint64_t seed, std::vector<Site>& sites)
      : context_(context), sources_(context.getSourceManager()), random_(seed), sites_(sites) {}

  // Templates have types only where they are used, and constants that the compiler needs stay constants.
  bool TraverseFunctionTemplateDecl(FunctionTemplateDecl*) { return true; }
  bool TraverseClassTemplateDecl(ClassTemplateDecl*) { return true; }
  bool TraverseClassTemplatePartialSpecializationDecl(ClassTemplatePartialSpecializationDecl*) {
    return true;
  }
  bool TraverseStaticAssertDecl(StaticAssertDecl*) { return true; }
  bool TraverseEnumDecl(EnumDecl*) { return true; }
  bool TraverseParmVarDecl(ParmVarDecl*) { return true; }
  bool TraverseFieldDecl(FieldDecl*) { return true; }
  bool TraverseTypeLoc(TypeLoc) { return true; }
  bool TraverseTemplateArgumentLoc(const TemplateArgumentLoc&) { return true; }
  bool TraverseLambdaExpr(LambdaExpr* e) {
    return e->isGenericLambda() || RecursiveASTVisitor::TraverseLambdaExpr(e);
  }
  bool TraverseIfStmt(IfStmt* s) { return s->isConstexpr() || RecursiveASTVisitor::TraverseIfStmt(s); }
  bool TraverseCaseStmt(CaseStmt* s) { return TraverseStmt(s->getSubStmt()); }
  bool TraverseVarDecl(VarDecl* d) {
    return d->isConstexpr() || d->hasGlobalStorage() || RecursiveASTVisitor::TraverseVarDecl(d);
  }
  bool TraverseFunctionDecl(FunctionDecl* d) {
    return enter(d, [&] { return RecursiveASTVisitor::TraverseFunctionDecl(d); });
  }
  bool TraverseCXXMethodDecl(CXXMethodDecl* d) {
    return enter(d, [&] { return RecursiveASTVisitor::TraverseCXXMethodDecl(d); });
  }
  bool TraverseCXXConstructorDecl(CXXConstructorDecl* d) {
    return enter(d, [&] { return RecursiveASTVisitor::TraverseCXXConstructorDecl(d); });
  }

  bool VisitBinaryOperator(BinaryOperator* e) {
    if (e->isAssignmentOp() && !e->isCompoundAssignmentOp()) return true;
    binary(e, e->getOpcode(), e->getLHS(), e->getRHS());
    return true;
  }
  bool VisitCXXRewrittenBinaryOperator(CXXRewrittenBinaryOperator* e) {
    binary(e, e->getOperator(), const_cast<Expr*>(e->getLHS()), const_cast<Expr*>(e->getRHS()));
    return true;
  }
  bool VisitCXXOperatorCallExpr(CXXOperatorCallExpr* e) {
    if (e->getNumArgs() != 2) return true;
    switch (e->getOperator()) {
      case OO_EqualEqual:
        binary(e, BO_EQ, e->getArg(0), e->getArg(1));
        break;
      case OO_ExclaimEqual:
        binary(e, BO_NE, e->getArg(0), e->getArg(1));
        break;
      case OO_Less:
        binary(e, BO_LT, e->getArg(0), e->getArg(1));
        break;
      default:
        break;
    }
    return true;
  }

  bool VisitIfStmt(IfStmt* s) {
    if (!s->getConditionVariable()) condition(s->getCond());
    return true;
  }
  bool VisitConditionalOperator(ConditionalOperator* e) {
    condition(e->getCond());
    return true;
  }

  bool VisitIntegerLiteral(IntegerLiteral* e) {
    if (e->getType()->isSpecificBuiltinType(BuiltinType::Int) || e->getType()->isUnsignedIntegerType())
      add(Kind::Constant, e, "next");
    return true;
  }
  bool VisitCXXBoolLiteralExpr(CXXBoolLiteralExpr* e) {
    add(Kind::Truth, e, "negated");
    return true;
  }

  bool VisitCompoundStmt(CompoundStmt* s) {
    for (Stmt* inner : s->body()) statement(inner);
    return true;
  }
  bool TraverseForStmt(ForStmt* s) {
    statement(s->getBody());
    return RecursiveASTVisitor::TraverseForStmt(s);
  }
  bool TraverseCXXForRangeStmt(CXXForRangeStmt* s) {
    statement(s->getBody());
    return RecursiveASTVisitor::TraverseCXXForRangeStmt(s);
  }

  bool VisitCallExpr(CallExpr* e) {
    if (isa<CXXOperatorCallExpr>(e)) return true;
    exchange(e->getNumArgs(), [&](unsigned k) { return e->getArg(k); });
    return true;
  }
  bool VisitInitListExpr(InitListExpr* e) {
    exchange(e->getNumInits(), [&](unsigned k) { return e->getInit(k); });
    return true;
  }

  bool VisitDeclRefExpr(DeclRefExpr* e) {
    const auto* constant = dyn_cast<EnumConstantDecl>(e->getDecl());
    if (!constant || !e->getQualifier()) return true;
    const auto* list = dyn_cast<EnumDecl>(constant->getDeclContext());
    if (!list || list->getName() != "Op") return true;
    std::vector<std::string> others;
    for (const auto& [from, to] : kPairs) {
      std::string name = constant->getName().str();
      const size_t at = name.rfind(from);
      if (at == std::string::npos) continue;
      name.replace(at, from.size(), to);
      for (const EnumConstantDecl* d : list->enumerators())
        if (d->getName() == name) others.push_back(name);
    }
    if (!others.empty()) add(Kind::Opcode, e, "kc::Op::" + others[random_() % others.size()]);
    return true;
  }

 private:
  template <class F>
  bool enter(FunctionDecl* d, const F& traverse) {
    if (!d->doesThisDeclarationHaveABody() || d->isConstexpr() || d->isDefaulted() ||
        d->isTemplateInstantiation() || d->isDependentContext() || !in_main_file(d->getLocation()))
      return true;
    std::string outer = std::exchange(function_, d->getNameAsString());
    bool ok = traverse();
    function_ = std::move(outer);
    return ok;
  }

  bool in_main_file(SourceLocation at) const {
    return at.isValid() && !at.isMacroID() && sources_.isWrittenInMainFile(at);
  }

  // The bytes of a node, or nothing for what macros make.
  std::optional<Span> span_of(SourceRange range) const {
    if (!in_main_file(range.getBegin()) || !in_main_file(range.getEnd())) return std::nullopt;
    const SourceLocation end =
        Lexer::getLocForEndOfToken(range.getEnd(), 0, sources_, context_.getLangOpts());
    if (end.isInvalid()) return std::nullopt;
    return Span{sources_.getFileOffset(range.getBegin()), sources_.getFileOffset(end)};
  }

  llvm::StringRef text(Span s) const {
    return sources_.getBufferData(sources_.getMainFileID()).slice(s.begin, s.end);
  }
  bool braced(Span s) const { return text(s).starts_with("{") || text(s).ends_with("}"); }
  // Remarks for readers, and analyses that are computed again or not.
  bool harmless(Span s) const { return text(s).starts_with("remark") || text(s).starts_with("analyses"); }

  Site* add(Kind kind, Span span, std::string change) {
    if (function_.empty() || harmless(span)) return nullptr;
    const auto key = std::tuple{span.begin, span.end, kind};
    if (!known_.insert(key).second) return nullptr;
    sites_.push_back(Site{.kind = kind,
                          .span = span,
                          .parts = {},
                          .change = std::move(change),
                          .line = sources_.getLineNumber(sources_.getMainFileID(), span.begin),
                          .function = function_});
    return &sites_.back();
  }
  Site* add(Kind kind, const Expr* e, std::string change) {
    if (e->isInstantiationDependent()) return nullptr;
    auto span = span_of(e->getSourceRange());
    return span ? add(kind, *span, std::move(change)) : nullptr;
  }

  bool is_null(Expr* e) const {
    return e->isNullPointerConstant(context_, Expr::NPC_NeverValueDependent) == Expr::NPCK_ZeroLiteral &&
           !e->IgnoreParenImpCasts()->getType()->isIntegerType();
  }

  void binary(Expr* e, BinaryOperatorKind op, Expr* a, Expr* b) {
    auto left = span_of(a->getSourceRange()), right = span_of(b->getSourceRange());
    if (!left || !right) return;
    const std::string change = change_of(op, e, a, b);
    if (change.empty()) return;
    const bool logic = op == BO_LAnd || op == BO_LOr, relation = BinaryOperator::isComparisonOp(op);
    // What is constant may have to stay so.
    if (!logic && !e->isInstantiationDependent() && e->isEvaluatable(context_)) return;
    if (Site* s = add(logic ? Kind::Logic : relation ? Kind::Relation : Kind::Arithmetic, e, change))
      s->parts = {*left, *right};
  }

  // Two names of the table, or nothing. Relations are turned round, or off by one.
  std::string change_of(BinaryOperatorKind op, const Expr* e, Expr* a, Expr* b) {
    const bool first = random_() % 2 == 0;
    const auto third = random_() % 3;
    switch (op) {
      case BO_LT:
        return ordered(a, b) ? (first ? "lt_le" : "lt_ge") : "";
      case BO_LE:
        return ordered(a, b) ? (first ? "le_lt" : "le_gt") : "";
      case BO_GT:
        return ordered(a, b) ? (first ? "gt_ge" : "gt_le") : "";
      case BO_GE:
        return ordered(a, b) ? (first ? "ge_gt" : "ge_lt") : "";
      case BO_EQ:
        return "eq_ne";
      case BO_NE:
        return "ne_eq";
      case BO_LAnd:
        return third == 0 ? "all_any" : third == 1 ? "all_left" : "all_right";
      case BO_LOr:
        return third == 0 ? "any_all" : third == 1 ? "any_left" : "any_right";
      default:
        break;
    }
    if (!e->getType()->isIntegerType()) return "";
    switch (op) {
      case BO_Add:
        return "add_sub";
      case BO_Sub:
        return "sub_add";
      case BO_And:
        return "and_or";
      case BO_Or:
        return "or_and";
      case BO_Shl:
        return "shl_shr";
      case BO_Shr:
        return "shr_shl";
      default:
        return "";
    }
  }
  bool ordered(Expr* a, Expr* b) const {
    return a->getType()->isScalarType() && b->getType()->isScalarType() && !is_null(a) && !is_null(b);
  }

  void condition(Expr* e) {
    // Comparisons and logic have mutants of their own.
    Expr* bare = e->IgnoreParenImpCasts();
    if (isa<BinaryOperator>(bare) || isa<CXXOperatorCallExpr>(bare) || isa<CXXRewrittenBinaryOperator>(bare))
      return;
    add(Kind::Condition, e, "negated");
  }

  void statement(Stmt* s) {
    while (auto* label = dyn_cast_or_null<SwitchCase>(s)) s = label->getSubStmt();
    if (!s) return;
    if (isa<ContinueStmt>(s) || isa<BreakStmt>(s)) return jump(s);
    if (auto* branch = dyn_cast<IfStmt>(s); branch && !branch->isConstexpr()) {
      statement(branch->getThen());
      statement(branch->getElse());
      return;
    }
    if (auto* r = dyn_cast<ReturnStmt>(s); r && !r->getRetValue()) return jump(s);
    auto* e = dyn_cast<Expr>(s);
    if (!e) return;
    e = e->IgnoreImplicit();
    if (auto* call = dyn_cast<CallExpr>(e))
      if (const FunctionDecl* f = call->getDirectCallee(); f && f->getIdentifier())
        for (std::string_view name : kHarmless)
          if (f->getName().starts_with(llvm::StringRef(name.data(), name.size()))) return;
    if (isa<CallExpr>(e) || isa<BinaryOperator>(e) || isa<UnaryOperator>(e))
      add(Kind::Dropped, e, "expression");
  }
  // A jump with its semicolon. The break of a loop or switch stays where the code behind it needs values.
  void jump(Stmt* s) {
    if (isa<BreakStmt>(s)) return;
    auto span = span_of(s->getSourceRange());
    if (!span) return;
    const SourceLocation end =
        Lexer::findLocationAfterToken(s->getEndLoc(), tok::semi, sources_, context_.getLangOpts(), false);
    if (end.isInvalid()) return;
    add(Kind::Dropped, Span{span->begin, sources_.getFileOffset(end)}, "jump");
  }

  // The first two neighbours of one type, of those that are no constants.
  template <class F>
  void exchange(unsigned count, const F& argument) {
    for (unsigned k = 0; k + 1 < count; ++k) {
      Expr *a = argument(k), *b = argument(k + 1);
      if (!a || !b || isa<CXXDefaultArgExpr>(b) || a->isInstantiationDependent() ||
          b->isInstantiationDependent())
        continue;
      Expr *left = a->IgnoreImplicit(), *right = b->IgnoreImplicit();
      if (isa<InitListExpr>(left) || isa<InitListExpr>(right) || isa<DesignatedInitExpr>(left) ||
          isa<DesignatedInitExpr>(right) || isa<LambdaExpr>(left) || isa<LambdaExpr>(right))
        continue;
      if (left->getType().getCanonicalType() != right->getType().getCanonicalType() ||
          left->getType()->isBooleanType() || isa<StringLiteral>(left) || isa<StringLiteral>(right) ||
          left->getValueKind() != right->getValueKind())
        continue;
      auto first = span_of(left->getSourceRange()), second = span_of(right->getSourceRange());
      if (!first || !second || first->end > second->begin || braced(*first) || braced(*second)) continue;
      if (Site* s = add(Kind::Exchanged, Span{first->begin, second->end}, "exchanged"))
        s->parts = {*first, *second};
      return;
    }
  }

  ASTContext& context_;
  SourceManager& sources_;
  std::mt19937_64 random_;
  std::vector<Site>& sites_;
  std::set<std::tuple<unsigned, unsigned, Kind>> known_;
  std::string function_;
};

}  // namespace

void find_sites(ASTUnit& unit, uint64_t seed, std::vector<Site>& sites) {
  Finder finder(unit.getASTContext(), seed, sites);
  // Not the whole translation unit: that would load everything from a precompiled header.
  for (auto d = unit.top_level_begin(); d != unit.top_level_end(); ++d) finder.TraverseDecl(*d);
}

}  // namespace kc::mutants
