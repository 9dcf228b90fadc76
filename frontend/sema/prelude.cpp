// SPDX-License-Identifier: Apache-2.0
#include "frontend/sema/prelude.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <memory>

#include "frontend/parse/parse_driver.h"
#include "frontend/preprocess/lexer.h"
#include "frontend/sema/constant_bits.h"
#include "frontend/sema/sema.h"
#include "prelude/table.h"

namespace kc::front {

namespace {

// The tokens of the prelude's text, which has no directives and no macros.
class PreludeTokens : public TokenSource {
 public:
  PreludeTokens(const SourceFile& file, Position base, Interner& interner)
      : lexer_(file, base), interner_(interner) {}
  Token next() override {
    Token t = lexer_.next();
    if (t.kind == Tok::TokIdentifier) t.identifier = interner_.intern(t.text);
    return t;
  }
  const std::deque<Pragma>& pragmas() const override { return pragmas_; }

 private:
  Lexer lexer_;
  Interner& interner_;
  std::deque<Pragma> pragmas_{{.kind = Pragma::ContractOff}};
};

std::optional<uint16_t> find_definition(std::string_view name) {
  std::span<const prelude::Definition> all = prelude::definitions();
  std::span<const uint16_t> order = prelude::by_name();
  auto found = std::ranges::lower_bound(order, name, {}, [&](uint16_t i) { return all[i].name; });
  if (found == order.end() || all[*found].name != name) return std::nullopt;
  return *found;
}

// A definition's name consists of the function's name, its computation type and the address space of a
// pointer argument.
std::string suffix(std::span<Expr*> arguments) {
  std::string s = arguments[0]->type->kind == TypeKind::Double ? "_f64" : "_f32";
  const Type* last = arguments.back()->type;
  if (last->is_pointer()) s += fmt::format("_{}", address_space_name(last->space));
  return s;
}

// Powers with exponents that programs write out, and their definitions, which take the base alone.
struct Power {
  double exponent;
  std::string_view definition;
};
constexpr Power kPowers[] = {{-2, "inverse_square"}, {-1, "inverse"}, {-0.5, "inverse_root"}, {0.5, "root"},
                             {2, "square"},          {3, "cube"},     {4, "fourth_power"}};

// The definition for a power with such an exponent; empty for others. powr is not among them: it is NaN for
// negative bases, for which half_powr and native_powr are undefined.
std::string_view power_with(const BuiltinRow& row, std::span<Expr*> arguments) {
  if (row.name != "pow" && row.name != "pown" && row.name != "half_powr" && row.name != "native_powr")
    return {};
  // An expression may have components of a vector, whose exponents differ.
  const Expr* number = arguments[1];
  for (;;) {
    if (number->kind == ExprKind::Convert)
      number = as<CastExpr>(number)->operand;
    else if (number->kind == ExprKind::Unary && as<UnaryExpr>(number)->op == UnaryOp::Minus)
      number = as<UnaryExpr>(number)->operand;
    else
      break;
  }
  if (number->kind != ExprKind::Number) return {};
  const std::optional<uint64_t> bits = constant_bits(arguments[1]);
  if (!bits) return {};
  const TypeKind kind = arguments[1]->type->kind;
  const double exponent = kind == TypeKind::Double  ? std::bit_cast<double>(*bits)
                          : kind == TypeKind::Float ? std::bit_cast<float>(static_cast<uint32_t>(*bits))
                                                    : static_cast<int32_t>(*bits);
  const auto* found = std::ranges::find(kPowers, exponent, &Power::exponent);
  return found == std::end(kPowers) ? std::string_view() : found->definition;
}

}  // namespace

FunctionDecl* Prelude::find(const BuiltinRow& row, std::span<Expr*>& arguments) {
  std::string end = suffix(arguments);
  std::optional<uint16_t> definition;
  if (const std::string_view power = power_with(row, arguments); !power.empty()) {
    definition = find_definition(std::string(power) + end);
    if (definition) arguments = arguments.first(1);
  }
  if (native_ && !definition) definition = find_definition(fmt::format("native_{}{}", row.name, end));
  if (!definition) definition = find_definition(std::string(row.name) + end);
  // The half_ and native_ variants without a definition of their own are the exact functions.
  for (std::string_view prefix : {"half_", "native_"})
    if (!definition && row.name.starts_with(prefix))
      definition = find_definition(std::string(row.name.substr(prefix.size())) + end);
  if (!definition) return nullptr;
  FunctionDecl*& f = requested_[*definition];
  if (!f) {
    f = arena_.make<FunctionDecl>();
    f->name = row.name;
    f->is_prelude = true;
  }
  return f;
}

std::string Prelude::text_of_definitions() const {
  std::span<const prelude::Definition> all = prelude::definitions();
  std::vector<bool> wanted(all.size());
  for (const auto& [definition, f] : requested_) wanted[definition] = true;
  for (size_t i = all.size(); i-- > 0;)
    if (wanted[i])
      for (uint16_t needed : all[i].needs) wanted[needed] = true;
  std::string text;
  for (size_t i = 0; i < all.size(); ++i)
    if (wanted[i]) text.append(all[i].text) += '\n';
  return text;
}

void Prelude::resolve() {
  if (requested_.empty()) return;
  file_ = std::make_shared<SourceFile>("<prelude>", text_of_definitions());
  Position base = sources_.add_file(file_, NoPosition, true);
  if (base == NoPosition) {
    diagnostics_.error({0, 0}, "the source is too large");
    return;
  }
  PreludeTokens tokens(*file_, base, interner_);
  ParseDriver parser(tokens, arena_, diagnostics_);
  TranslationUnit unit = parser.parse();
  Sema(arena_, types_, diagnostics_, parser.tainted_names()).run(unit);
  std::map<std::string_view, FunctionDecl*> defined;
  for (const TopLevel& item : unit.items) {
    if (!item.function) continue;
    item.function->is_prelude = item.function->always_inline = true;
    defined[item.function->name] = item.function;
  }
  // A function that users call directly may become a shared region; its internal helpers are inlined into it.
  for (auto& [definition, f] : requested_) {
    f->definition = defined[prelude::definitions()[definition].name];
    f->definition->always_inline = false;
  }
  // Diagnostics show the names without the type suffix.
  for (auto& [name, f] : defined) f->name = name.substr(0, name.rfind("_f"));
}

}  // namespace kc::front
