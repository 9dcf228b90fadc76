// SPDX-License-Identifier: Apache-2.0
// Integers and pointers are bit vectors, booleans are bit vectors of one bit, floats are SMT-LIB's, which
// have one NaN. That is the rule of the language: the sign and payload of a NaN are unspecified.
#include "tests/rewrites/smt.h"

#include <z3++.h>

#include <bit>
#include <set>

#include "ir/check.h"

namespace kc::rewrites {
namespace {

using z3::expr;

bool is_float(const expr& e) { return e.is_fpa(); }

// The meaning of each opcode.
class Meaning {
 public:
  explicit Meaning(z3::context& context) : c(context) {}
  z3::context& c;

  z3::sort sort_of(Elem e) const {
    if (e == Elem::F32) return c.fpa_sort<32>();
    if (e == Elem::F64) return c.fpa_sort<64>();
    return c.bv_sort(Type{e}.bits());
  }
  expr number(uint64_t bits, unsigned width) const { return c.bv_val(bits, width); }
  expr constant(Elem e, uint64_t bits) const {
    const expr v = number(bits, Type{e}.bits());
    return Type{e}.is_float() ? from_bits(v, e) : v;
  }
  expr from_bits(const expr& bits, Elem e) const { return {c, Z3_mk_fpa_to_fp_bv(c, bits, sort_of(e))}; }
  expr flag(const expr& condition) const { return ite(condition, number(1, 1), number(0, 1)); }

  /// `attrs` are of ptr_add; `from` is the type of the first operand, `to` that of the result.
  expr of(const Term& t, const std::vector<expr>& x, Elem from) const {
    const unsigned width = Type{t.elem}.bits();
    const expr &a = x[0], &b = x[x.size() > 1 ? 1 : 0];
    switch (t.op) {
      case Op::add:
        return a + b;
      case Op::sub:
        return a - b;
      case Op::mul:
        return a * b;
      case Op::and_:
        return a & b;
      case Op::or_:
        return a | b;
      case Op::xor_:
        return a ^ b;
      // Of SMT-LIB's divisions only bvsdiv differs where the divisor is 0.
      case Op::udiv:
        return udiv(a, b);
      case Op::urem:
        return urem(a, b);
      case Op::sdiv:
        return ite(b == number(0, width), number(~uint64_t{0}, width), a / b);
      case Op::srem:
        return srem(a, b);
      case Op::shl:
        return shl(a, count(b));
      case Op::lshr:
        return lshr(a, count(b));
      case Op::ashr:
        return ashr(a, count(b));
      case Op::smin:
        return ite(slt(a, b), a, b);
      case Op::smax:
        return ite(slt(a, b), b, a);
      case Op::umin:
        return ite(ult(a, b), a, b);
      case Op::umax:
        return ite(ult(a, b), b, a);
      case Op::eq:
        return flag(a == b);
      case Op::ne:
        return flag(a != b);
      case Op::slt:
        return flag(slt(a, b));
      case Op::sle:
        return flag(sle(a, b));
      case Op::ult:
        return flag(ult(a, b));
      case Op::ule:
        return flag(ule(a, b));
      case Op::popcount:
        return ones_of(a, width);
      case Op::clz:
        return leading_zeros(a, width);
      case Op::zext:
        return zext(a, width - Type{from}.bits());
      case Op::sext:
        return sext(a, width - Type{from}.bits());
      case Op::trunc:
        return a.extract(width - 1, 0);
      case Op::select:
        return ite(a == number(1, 1), b, x[2]);
      case Op::ptr_add:
        return address(t, a, b, width);
      default:
        return of_float(t, x, from);
    }
  }

 private:
  expr count(const expr& b) const { return b & number(b.get_sort().bv_size() - 1, b.get_sort().bv_size()); }
  expr ones_of(const expr& a, unsigned width) const {
    expr sum = number(0, width);
    for (unsigned k = 0; k < width; ++k) sum = sum + zext(a.extract(k, k), width - 1);
    return sum;
  }
  expr leading_zeros(const expr& a, unsigned width) const {
    expr n = number(width, width);
    for (unsigned k = 0; k < width; ++k)
      n = ite(a.extract(k, k) == number(1, 1), number(width - 1 - k, width), n);
    return n;
  }
  expr address(const Term& t, const expr& p, const expr& index, unsigned width) const {
    const unsigned from = index.get_sort().bv_size();
    const expr wide = from < 64 ? sext(index, 64 - from) : index;
    const expr moved =
        wide * number(static_cast<uint64_t>(t.attrs[0]), 64) + number(static_cast<uint64_t>(t.attrs[1]), 64);
    return p + (width < 64 ? moved.extract(width - 1, 0) : moved);
  }

  // Sums and products of floats commute. The solver would prove it anew for each.
  std::pair<expr, expr> ordered(const expr& a, const expr& b) const {
    return Z3_get_ast_id(c, a) <= Z3_get_ast_id(c, b) ? std::pair(a, b) : std::pair(b, a);
  }
  // By the standard the sum with the negated operand.
  expr difference(const expr& a, const expr& b) const {
    const auto [low, high] = ordered(a, expr(c, Z3_mk_fpa_neg(c, b)));
    return {c, Z3_mk_fpa_add(c, nearest(), low, high)};
  }
  expr rounded(Z3_ast mode, const expr& a) const { return {c, Z3_mk_fpa_round_to_integral(c, mode, a)}; }
  expr nearest() const { return {c, Z3_mk_fpa_rne(c)}; }
  expr is_nan(const expr& a) const { return {c, Z3_mk_fpa_is_nan(c, a)}; }
  expr equal(const expr& a, const expr& b) const { return {c, Z3_mk_fpa_eq(c, a, b)}; }
  expr less(const expr& a, const expr& b) const { return {c, Z3_mk_fpa_lt(c, a, b)}; }
  expr at_most(const expr& a, const expr& b) const { return {c, Z3_mk_fpa_leq(c, a, b)}; }
  expr of_double(double d, Elem e) const {
    return constant(
        e, e == Elem::F32 ? std::bit_cast<uint32_t>(static_cast<float>(d)) : std::bit_cast<uint64_t>(d));
  }
  // If one operand is NaN, the other; -0 is below +0.
  expr extreme(const expr& a, const expr& b, bool least) const {
    const expr negative(c, Z3_mk_fpa_is_negative(c, a));
    const expr smaller = ite(equal(a, b), negative, less(a, b));
    return ite(is_nan(a), b, ite(is_nan(b), a, least ? ite(smaller, a, b) : ite(smaller, b, a)));
  }
  // Toward zero, saturating; NaN gives 0.
  expr to_int(const expr& a, Elem from, unsigned width, bool is_signed) const {
    const expr zero(c, Z3_mk_fpa_rtz(c));
    const unsigned digits = is_signed ? width - 1 : width;
    const uint64_t all = ~uint64_t{0} >> (64 - digits);
    const expr limit = of_double(std::ldexp(1.0, static_cast<int>(digits)), from);
    const expr low = of_double(is_signed ? -std::ldexp(1.0, static_cast<int>(digits)) : 1.0, from);
    const expr inside(c,
                      is_signed ? Z3_mk_fpa_to_sbv(c, zero, a, width) : Z3_mk_fpa_to_ubv(c, zero, a, width));
    const expr lowest = number(is_signed ? uint64_t{1} << (width - 1) : 0, width);
    return ite(is_nan(a), number(0, width),
               ite(at_most(limit, a), number(all, width), ite(less(a, low), lowest, inside)));
  }
  expr of_float(const Term& t, const std::vector<expr>& x, Elem from) const {
    const unsigned width = Type{t.elem}.bits();
    const expr &a = x[0], &b = x[x.size() > 1 ? 1 : 0];
    const auto [low, high] = is_float(a) && is_float(b) ? ordered(a, b) : std::pair(a, b);
    auto with = [&](Z3_ast ast) { return expr(c, ast); };
    switch (t.op) {
      case Op::feq:
        return flag(equal(a, b));
      case Op::fne:
        return flag(!equal(a, b));
      case Op::flt:
        return flag(less(a, b));
      case Op::fle:
        return flag(at_most(a, b));
      case Op::fadd:
        return with(Z3_mk_fpa_add(c, nearest(), low, high));
      case Op::fsub:
        return difference(a, b);
      case Op::fmul:
        return with(Z3_mk_fpa_mul(c, nearest(), low, high));
      case Op::fdiv:
        return with(Z3_mk_fpa_div(c, nearest(), a, b));
      case Op::ffma:
        return with(Z3_mk_fpa_fma(c, nearest(), low, high, x[2]));
      case Op::fneg:
        return with(Z3_mk_fpa_neg(c, a));
      case Op::fabs:
        return with(Z3_mk_fpa_abs(c, a));
      case Op::fsqrt:
        return with(Z3_mk_fpa_sqrt(c, nearest(), a));
      case Op::fmin:
        return extreme(a, b, true);
      case Op::fmax:
        return extreme(a, b, false);
      case Op::ffloor:
        return rounded(Z3_mk_fpa_rtn(c), a);
      case Op::fceil:
        return rounded(Z3_mk_fpa_rtp(c), a);
      case Op::ftrunc:
        return rounded(Z3_mk_fpa_rtz(c), a);
      case Op::frint:
        return rounded(nearest(), a);
      case Op::fptosi:
        return to_int(a, from, width, true);
      case Op::fptoui:
        return to_int(a, from, width, false);
      case Op::sitofp:
        return with(Z3_mk_fpa_to_fp_signed(c, nearest(), a, sort_of(t.elem)));
      case Op::uitofp:
        return with(Z3_mk_fpa_to_fp_unsigned(c, nearest(), a, sort_of(t.elem)));
      case Op::fpext:
      case Op::fptrunc:
        return with(Z3_mk_fpa_to_fp_float(c, nearest(), a, sort_of(t.elem)));
      default:
        KC_CHECK(false, "no meaning of {}", name_of(t.op));
    }
    return a;
  }
};

// Terms of one question as expressions of the solver.
class Translation {
 public:
  Translation(z3::context& context, const Terms& terms)
      : c(context), meaning(context), terms_(terms), facts(context) {}
  z3::context& c;
  Meaning meaning;

  expr of(TermId id) {
    if (auto known = done_.find(id); known != done_.end()) return known->second;
    expr e = make(id);
    done_.emplace(id, e);
    return e;
  }
  /// The bits of a variable.
  expr bits_of(TermId id) {
    return c.bv_const(("v" + std::to_string(id)).c_str(), Type{terms_[id].elem}.bits());
  }
  void define(TermId id, const expr& e) { done_.insert_or_assign(id, e); }
  /// The bits of floats used before the rewrite are those of numbers.
  bool is_before = true;
  /// All operands are constants.
  bool is_closed = false;

 private:
  expr make(TermId id) {
    const Term& t = terms_[id];
    switch (t.kind) {
      case Term::Variable:
        return variable(id);
      case Term::Constant:
        return meaning.constant(t.elem, t.bits);
      case Term::Launch:
        return launch(t);
      case Term::Undef:
        return c.constant(("undef" + std::to_string(id)).c_str(), meaning.sort_of(t.elem));
      case Term::Operation:
        break;
    }
    const Elem from = terms_[t.operands[0]].elem;
    std::vector<expr> operands;
    for (size_t k = 0; k < t.count; ++k) operands.push_back(of(t.operands[k]));
    if (t.op == Op::bitcast) return bits_as(id, operands[0], from, t.elem);
    return meaning.of(t, operands, from);
  }
  // Variables are bits, so that counterexamples are.
  expr variable(TermId id) {
    const Elem e = terms_[id].elem;
    const expr bits = bits_of(id);
    return Type{e}.is_float() ? meaning.from_bits(bits, e) : bits;
  }
  // Bits that are this float: some bits, if it is a NaN.
  expr bits_as(TermId id, const expr& a, Elem from, Elem to) {
    const bool was_float = Type{from}.is_float();
    if (was_float == Type{to}.is_float()) return a;
    if (!was_float) return meaning.from_bits(a, to);
    if (is_closed) return {c, Z3_mk_fpa_to_ieee_bv(c, a)};
    const expr bits = c.bv_const(("bits" + std::to_string(id)).c_str(), Type{to}.bits());
    const expr is_nan(c, Z3_mk_fpa_is_nan(c, a));
    facts.push_back(meaning.from_bits(bits, from) == a);
    if (is_before) facts.push_back(!is_nan);
    return bits;
  }
  // Positions are numbers of 64 bits, which ids of 32 bits are the low half of. The sum that global_id is
  // does not wrap, so its halves are that of the halves.
  expr launch(const Term& t) {
    const unsigned width = Type{t.elem}.bits();
    auto part = [&](Op op) {
      const expr wide = position(op, t.bits);
      return width < 64 ? wide.extract(width - 1, 0) : wide;
    };
    if (t.op != Op::global_id) return part(t.op);
    const expr id = position(Op::group_id, t.bits) * position(Op::local_size, t.bits) +
                    position(Op::local_id, t.bits) + position(Op::global_offset, t.bits);
    facts.push_back(ule(id, c.bv_val(0x7fffffff, 64)));
    return part(Op::group_id) * part(Op::local_size) + part(Op::local_id) + part(Op::global_offset);
  }
  expr position(Op op, uint64_t dim) {
    const expr v = c.bv_const((std::string(name_of(op)) + std::to_string(dim)).c_str(), 64);
    if (!positions_.insert({op, dim}).second) return v;
    const bool is_size =
        op == Op::global_size || op == Op::num_groups || op == Op::local_size || op == Op::work_dim;
    const uint64_t most = op == Op::work_dim     ? 3
                          : op == Op::local_id   ? 1023
                          : op == Op::local_size ? 1024
                                                 : 0x7fffffff;
    facts.push_back(uge(v, c.bv_val(is_size ? 1 : 0, 64)) && ule(v, c.bv_val(most, 64)));
    return v;
  }

  const Terms& terms_;
  std::unordered_map<TermId, expr> done_;
  std::set<std::pair<Op, uint64_t>> positions_;

 public:
  z3::expr_vector facts;
};

}  // namespace

struct Smt::State {
  z3::context c;
  std::optional<z3::model> model;
};

Smt::Smt() : state_(std::make_unique<State>()) {}
Smt::~Smt() = default;
bool Smt::available() { return true; }

Smt::Answer Smt::refines(Terms& terms, TermId before, TermId after, unsigned milliseconds) {
  z3::context& c = state_->c;
  state_->model.reset();
  // Undef of one type at most.
  std::optional<TermId> undef;
  terms.any(before, [&](const Term& t) {
    if (t.kind == Term::Undef) undef = terms.undef(t.elem);
    return undef.has_value();
  });
  Translation translation(c, terms);
  z3::expr_vector different(c);
  if (!undef) {
    const expr a = translation.of(before);
    translation.is_before = false;
    different.push_back(a != translation.of(after));
  } else {
    // The term after differs from the one before for each choice.
    for (TermId value : terms.choices_of_undef(terms[*undef].elem, before, after)) {
      Translation chosen(c, terms);
      chosen.define(*undef, chosen.of(value));
      const expr a = chosen.of(before);
      chosen.is_before = false;
      different.push_back(a != chosen.of(after));
      for (const expr& fact : chosen.facts) translation.facts.push_back(fact);
    }
  }
  expr question = mk_and(different);
  const expr simple = question.simplify();
  if (simple.is_false()) return Proved;
  bool floats = terms.any(before, [](const Term& t) { return Type{t.elem}.is_float(); }) ||
                terms.any(after, [](const Term& t) { return Type{t.elem}.is_float(); });
  z3::solver solver = z3::tactic(c, floats ? "qffp" : "qfbv").mk_solver();
  z3::params params(c);
  params.set("timeout", milliseconds);
  if (steps_) params.set("rlimit", steps_);
  solver.set(params);
  for (const expr& fact : translation.facts) solver.add(fact);
  solver.add(simple);
  try {
    switch (solver.check()) {
      case z3::unsat:
        return Proved;
      case z3::sat:
        state_->model = solver.get_model();
        return Refuted;
      default:
        return Unknown;
    }
  } catch (const z3::exception&) {  // interrupted
    return Unknown;
  }
}

std::vector<uint64_t> Smt::counterexample(const Terms& terms, const std::vector<TermId>& variables) {
  std::vector<uint64_t> values;
  for (TermId id : variables) {
    Translation translation(state_->c, terms);
    const Term& t = terms[id];
    const expr v = t.kind == Term::Launch ? translation.of(id) : translation.bits_of(id);
    uint64_t bits = 0;
    if (state_->model) state_->model->eval(v, true).is_numeral_u64(bits);
    values.push_back(bits);
  }
  return values;
}

std::optional<uint64_t> Smt::value(const Terms& terms, TermId id) {
  Translation translation(state_->c, terms);
  translation.is_closed = true;
  expr e = translation.of(id).simplify();
  if (is_float(e) && Z3_fpa_is_numeral_nan(state_->c, e))
    return terms[id].elem == Elem::F32 ? 0x7fc00000 : 0x7ff8000000000000;
  if (is_float(e)) e = expr(state_->c, Z3_mk_fpa_to_ieee_bv(state_->c, e)).simplify();
  uint64_t bits = 0;
  return e.is_numeral_u64(bits) ? std::optional(bits) : std::nullopt;
}

}  // namespace kc::rewrites
