// SPDX-License-Identifier: Apache-2.0
#include "tests/rewrites/judge.h"

#include <fmt/format.h>

#include <algorithm>

#include "fuzz/random.h"
#include "ir/text.h"
#include "ir/verify.h"
#include "passes/lower/expand_ops.h"
#include "passes/transform/div_rem_pairs.h"
#include "passes/transform/instcombine.h"
#include "passes/transform/narrow.h"
#include "passes/transform/narrow_small.h"
#include "passes/transform/range_simplify.h"
#include "passes/transform/reassociate.h"
#include "passes/transform/sccp.h"

namespace kc::rewrites {
namespace {

template <bool (*Pass)(Function&, AnalysisCache&, RewriteCounts&)>
bool counted(Function& f, RewriteCounts& counts) {
  AnalysisCache analyses(f);
  return Pass(f, analyses, counts);
}
Op root_of(const Function& f) {
  const InstId def = f.def(f.inst(f.terminator(f.entry())).operands[0]);
  return def.valid() ? f.inst(def).op : Op::Count_;
}
// These two passes have one rule for each opcode.
bool run_sccp(Function& f, RewriteCounts& counts) {
  const Op op = root_of(f);
  const bool changed = sccp(f);
  if (changed) counts.add(rule_name(op, "constant"));
  return changed;
}
bool run_expand_ops(Function& f, RewriteCounts& counts) {
  for (BlockId b : f.layout)
    for (InstId i : f.block(b).insts)
      if (info(f.inst(i).op).expand) counts.add(rule_name(f.inst(i).op, "expand"));
  return expand_ops(f);
}

// Those about opcodes of work-items.
std::vector<std::string> thread_rules() {
  auto names = instcombine_rules();
  std::erase_if(names, [](const std::string& name) {
    return find_op(Dialect::Thread, std::string_view(name).substr(0, name.find(' '))) == Op::Count_;
  });
  return names;
}

bool uses(const Terms& terms, TermId id, std::initializer_list<Op> ops) {
  return terms.any(id, [&](const Term& t) { return std::ranges::find(ops, t.op) != ops.end(); });
}
bool always(const Terms&, TermId) { return true; }
bool is_constant(const Terms& terms, TermId id) { return terms.variables({id}).empty(); }
bool has_wide(const Terms& terms, TermId id) {
  return terms.any(id, [](const Term& t) { return t.elem == Elem::I64; });
}
bool has_words(const Terms& terms, TermId id) {
  return terms.any(id, [](const Term& t) { return t.elem == Elem::I32 || t.elem == Elem::I16; });
}
bool is_nested(const Terms& terms, TermId id) {
  for (size_t k = 0; k < terms[id].count; ++k)
    if (terms[terms[id].operands[k]].kind == Term::Operation) return true;
  return false;
}
bool has_remainder(const Terms& terms, TermId id) { return uses(terms, id, {Op::srem, Op::urem}); }
bool has_expansion(const Terms& terms, TermId id) {
  return terms.any(id, [](const Term& t) { return t.kind == Term::Operation && info(t.op).expand; });
}

std::vector<std::string> constant_rules() {
  std::vector<std::string> names;
  for (size_t n = 0; n < kOpCount; ++n)
    if (const Op op = static_cast<Op>(n);
        info(op).has(Elementwise) && info(op).eval && info(op).dialects & InThread)
      names.push_back(rule_name(op, "constant"));
  return names;
}
std::vector<std::string> expansion_rules() {
  std::vector<std::string> names;
  for (size_t n = 0; n < kOpCount; ++n)
    if (const Op op = static_cast<Op>(n); info(op).expand) names.push_back(rule_name(op, "expand"));
  return names;
}

struct PassUnderTest {
  std::string_view name;
  bool (*run)(Function&, RewriteCounts&);
  Leaves leaves;
  bool (*may_apply)(const Terms&, TermId);
  std::vector<std::string> (*rules)();
};
constexpr PassUnderTest kPasses[] = {
    {"instcombine", counted<instcombine>, Leaves::Divergent, always, thread_rules},
    {"range_simplify", counted<range_simplify>, Leaves::Divergent, always, range_simplify_rules},
    {"narrow", counted<narrow>, Leaves::Divergent, has_wide, narrow_rules},
    {"narrow_small", counted<narrow_small>, Leaves::Divergent, has_words, narrow_small_rules},
    {"reassociate", counted<reassociate>, Leaves::EveryThirdDivergent, is_nested, reassociate_rules},
    {"div_rem_pairs", counted<div_rem_pairs>, Leaves::Divergent, has_remainder, div_rem_pairs_rules},
    {"sccp", run_sccp, Leaves::Divergent, is_constant, constant_rules},
    {"expand_ops", run_expand_ops, Leaves::Divergent, has_expansion, expansion_rules},
};

// Both terms with their variables numbered from 0 in each type, in order of their first use.
std::pair<TermId, TermId> renumbered(Terms& terms, TermId before, TermId after) {
  std::unordered_map<TermId, TermId> by;
  std::array<uint64_t, static_cast<size_t>(Elem::Count_)> next{};
  for (TermId v : terms.variables({before, after}))
    if (const Elem e = terms[v].elem; terms[v].kind == Term::Variable)
      by[v] = terms.variable(e, next[static_cast<size_t>(e)]++);
  const TermId first = terms.replace(before, by);
  return {first, terms.replace(after, by)};
}

// Values for the variables of two terms: all, values that matter, or random ones.
class Values {
 public:
  Values(const Terms& terms, std::span<const TermId> variables)
      : terms_(terms), variables_(variables), random_(1) {}

  std::vector<uint64_t> nth(uint64_t index) const {
    std::vector<uint64_t> values;
    for (TermId v : variables_) {
      const unsigned width = Type{terms_[v].elem}.bits();
      values.push_back(index & ((uint64_t{1} << width) - 1));
      index >>= width;
    }
    return values;
  }
  std::vector<uint64_t> drawn() {
    std::vector<uint64_t> values;
    bool launch = false;
    for (TermId v : variables_) {
      const auto special = special_values(terms_[v].elem);
      const unsigned width = Type{terms_[v].elem}.bits();
      uint64_t bits = random_.bits();
      if (random_.chance(60)) bits = special[random_.below(static_cast<uint32_t>(special.size()))];
      if (random_.chance(15)) bits += random_.below(5) - 2u;
      if (random_.chance(15) && !values.empty()) bits = values.back();
      values.push_back(width < 64 ? bits & ((uint64_t{1} << width) - 1) : bits);
      launch |= terms_[v].kind == Term::Launch;
    }
    if (launch) place(values);
    return values;
  }

 private:
  // Launch values of one work-item.
  void place(std::vector<uint64_t>& values) {
    for (uint64_t dim = 0; dim < 3; ++dim) {
      std::map<Op, uint64_t> at;
      for (Op op : {Op::global_size, Op::num_groups, Op::local_size, Op::work_dim, Op::global_offset}) {
        const auto [least, most] = launch_range(op);
        const uint64_t some = random_.chance(40)   ? least
                              : random_.chance(30) ? most
                                                   : least + random_.bits() % (most - least + 1);
        at[op] = op == Op::global_offset ? some >> 2 : some;
      }
      at[Op::local_id] = random_.bits() % at[Op::local_size];
      at[Op::group_id] = random_.bits() % 1'000'000;
      at[Op::global_id] = at[Op::group_id] * at[Op::local_size] + at[Op::local_id] + at[Op::global_offset];
      for (size_t k = 0; k < variables_.size(); ++k)
        if (const Term& t = terms_[variables_[k]]; t.kind == Term::Launch && t.bits == dim)
          values[k] = at[t.op];
    }
  }

  const Terms& terms_;
  std::span<const TermId> variables_;
  fuzz::Random random_;
};

std::string clipped(std::string s) {
  constexpr size_t kMost = 160;
  return s.size() <= kMost ? s : s.substr(0, kMost) + "...";
}
std::string shown(const Terms& terms, std::span<const TermId> variables, std::span<const uint64_t> values) {
  std::string s;
  for (size_t k = 0; k < variables.size(); ++k)
    s += fmt::format("{} = {:#x}, ", terms.text(variables[k]), values[k]);
  return s;
}

bool has_undef(const Terms& terms, TermId id) {
  return terms.any(id, [](const Term& t) { return t.kind == Term::Undef; });
}

// Both terms for each choice of what undef is, which is one value of its type.
std::vector<std::pair<TermId, TermId>> choices(Terms& terms, TermId before, TermId after) {
  TermId undef = 0;
  if (!terms.any(before, [&](const Term& t) {
        if (t.kind != Term::Undef) return false;
        undef = terms.add(Term(t));
        return true;
      }))
    return {{before, after}};
  std::vector<std::pair<TermId, TermId>> all;
  for (TermId value : terms.choices_of_undef(terms[undef].elem, before, after)) {
    std::unordered_map<TermId, TermId> by{{undef, value}}, and_by{{undef, value}};
    all.emplace_back(terms.replace(before, by), terms.replace(after, and_by));
  }
  std::erase_if(
      all, [&](const auto& pair) { return has_undef(terms, pair.first) || has_undef(terms, pair.second); });
  return all;
}

}  // namespace

Proof Judge::prove(Terms& terms, TermId before, TermId after) {
  if (before == after) return {.by_solver = true, .by_values = true};
  if (terms[before].elem != terms[after].elem) return {.wrong = true, .what = "another type"};
  std::tie(before, after) = renumbered(terms, before, after);
  const uint64_t key = uint64_t{before} << 32 | after;
  if (auto known = known_.find(key); known != known_.end()) return known->second;
  Proof proof = by_parts(terms, before, after);
  known_.emplace(key, proof);
  return proof;
}

// The same operation on operands that are equal each by itself; or else both as they are.
Proof Judge::by_parts(Terms& terms, TermId before, TermId after) {
  const Term a = terms[before], b = terms[after];
  if (a.kind == Term::Operation && b.kind == Term::Operation && a.op == b.op && a.attrs == b.attrs &&
      a.count == b.count) {
    for (const bool swap : {false, true}) {
      if (swap && !info(a.op).has(Commutes)) break;
      Proof all{.by_solver = true, .by_values = true};
      for (size_t k = 0; k < a.count && !all.wrong; ++k) {
        const Proof part = prove(terms, a.operands[k], b.operands[swap && k < 2 ? 1 - k : k]);
        all.wrong |= part.wrong;
        all.by_solver &= part.by_solver;
        all.by_values &= part.by_values;
      }
      all.undecided = !all.by_solver && !all.by_values;
      if (!all.wrong) return all;
    }
  }
  return decide(terms, before, after);
}

// The same question about more: operations, or constants, that both terms have become variables.
std::optional<Proof> Judge::generalised(Terms& terms, TermId before, TermId after) {
  std::unordered_map<TermId, TermId> operations, constants;
  uint64_t fresh = 1'000'000;
  auto is_in_after = [&](TermId id) { return terms.has(after, id); };
  std::vector<TermId> stack{before};
  while (!stack.empty()) {
    const TermId id = stack.back();
    const Term t = terms[id];
    stack.pop_back();
    if (id != before && t.kind == Term::Operation && is_in_after(id)) {
      if (!operations.contains(id)) operations.emplace(id, terms.variable(t.elem, fresh++));
      continue;
    }
    if (t.kind == Term::Constant && id != after && is_in_after(id) && !constants.contains(id))
      constants.emplace(id, terms.variable(t.elem, fresh++));
    for (size_t k = 0; k < t.count; ++k) stack.push_back(t.operands[k]);
  }
  auto attempt = [&](const std::unordered_map<TermId, TermId>& by) -> std::optional<Proof> {
    auto first = by, second = by;
    Proof p = prove(terms, terms.replace(before, first), terms.replace(after, second));
    return p.wrong ? std::nullopt : std::optional(p);
  };
  if (!operations.empty())
    if (auto p = attempt(operations)) return p;
  if (!constants.empty())
    if (auto p = attempt(constants)) return p;
  if (constants.size() > 1)
    for (const auto& one : constants)
      if (auto p = attempt({one})) return p;
  return std::nullopt;
}

namespace {

// Both terms computed for values of their variables, for each choice of what undef is.
class Comparison {
 public:
  Comparison(Terms& terms, TermId before, TermId after)
      : terms_(terms), variables_(terms.variables({before, after})), values_(terms, variables_) {
    for (auto [first, second] : choices(terms, before, after)) {
      Choice& c = chosen_.emplace_back(Evaluation(terms, first, second), std::vector<size_t>());
      for (TermId v : c.evaluation.variables())
        c.positions.push_back(static_cast<size_t>(std::ranges::find(variables_, v) - variables_.begin()));
    }
    for (TermId v : variables_) {
      bits_ += Type{terms[v].elem}.bits();
      is_launch_ |= terms[v].kind == Term::Launch;
    }
  }
  const std::vector<TermId>& variables() const { return variables_; }
  bool has_few_values(unsigned bits) const { return bits_ <= bits && !is_launch_; }
  /// Whether no choice of undef gives the same value; `what` says which values differ.
  bool differs(const std::vector<uint64_t>& of, std::string& what) {
    for (Choice& c : chosen_) {
      for (size_t k = 0; k < c.positions.size(); ++k) mine_[k] = of[c.positions[k]];
      if (c.evaluation({mine_.data(), c.positions.size()}) != Agreement::Different) return false;
    }
    what = fmt::format("{}before {:#x}, after {:#x}", shown(terms_, variables_, of),
                       chosen_.empty() ? 0 : chosen_[0].evaluation.before(),
                       chosen_.empty() ? 0 : chosen_[0].evaluation.after());
    return true;
  }
  bool differs_for_some(uint32_t samples, std::string& what) {
    for (uint32_t n = 0; n < samples; ++n)
      if (differs(values_.drawn(), what)) return true;
    return false;
  }
  bool differs_for_any(std::string& what) {
    for (uint64_t n = 0; n < uint64_t{1} << bits_; ++n)
      if (differs(values_.nth(n), what)) return true;
    return false;
  }

 private:
  struct Choice {
    Evaluation evaluation;
    std::vector<size_t> positions;  // of its variables among all
  };
  const Terms& terms_;
  std::vector<TermId> variables_;
  Values values_;
  std::vector<Choice> chosen_;
  std::array<uint64_t, 64> mine_{};
  unsigned bits_ = 0;
  bool is_launch_ = false;
};

}  // namespace

Proof Judge::decide(Terms& terms, TermId before, TermId after) {
  Proof proof;
  Comparison comparison(terms, before, after);
  if (comparison.differs_for_some(200, proof.what)) return proof.wrong = true, proof;
  if (comparison.has_few_values(limits_.exhaustive_bits)) {
    if (comparison.differs_for_any(proof.what)) return proof.wrong = true, proof;
    proof.by_values = true;
  }
  if (auto more = generalised(terms, before, after)) {
    proof.by_solver = more->by_solver;
    proof.by_values |= more->by_values;
    proof.undecided = !proof.by_solver && !proof.by_values;
    return proof;
  }
  const Proof answer = ask(terms, before, after);
  if (answer.wrong) return answer;
  proof.by_solver = answer.by_solver;
  proof.by_values |= answer.by_values;
  proof.undecided = !proof.by_solver && !proof.by_values;
  return proof;
}

// The solver's answer; if it has none, that of as many values as the limits allow.
Proof Judge::ask(Terms& terms, TermId before, TermId after) {
  const std::string question = terms.text(before) + terms.text(after);
  if (auto known = answered_.find(question); known != answered_.end()) return known->second;
  ++questions_;
  Proof proof;
  Comparison comparison(terms, before, after);
  const auto answer = limits_.solver_milliseconds
                          ? smt_.refines(terms, before, after, limits_.solver_milliseconds)
                          : Smt::Unknown;
  proof.by_solver = answer == Smt::Proved;
  if (answer == Smt::Refuted) {
    const auto values = smt_.counterexample(terms, comparison.variables());
    proof.wrong = true;
    if (!comparison.differs(values, proof.what))
      proof.what = "the solver's meaning of an opcode differs from its evaluation: " +
                   shown(terms, comparison.variables(), values);
  }
  if (answer == Smt::Unknown) {
    proof.by_values = comparison.has_few_values(limits_.most_bits);
    proof.wrong = proof.by_values ? comparison.differs_for_any(proof.what)
                                  : comparison.differs_for_some(limits_.samples, proof.what);
    proof.by_values &= !proof.wrong;
  }
  answered_.emplace(question, proof);
  return proof;
}

void Judge::examine(Terms& terms, TermId expression) {
  ++examined_;
  for (const PassUnderTest& pass : kPasses) {
    if (!pass.may_apply(terms, expression)) continue;
    Kernel kernel(terms, expression, pass.leaves);
    RewriteCounts counts;
    const bool changed = pass.run(kernel.f, counts);
    if (counts.of().empty() && !changed) continue;
    const auto after = kernel.read(terms);
    std::string complaint;
    if (!after)
      complaint = "is no expression any more";
    else if (auto errors = verify(kernel.f); !errors.empty())
      complaint = render(kernel.f, errors);
    if (!complaint.empty()) {
      failures_.push_back(
          fmt::format("{}: {} {}\n{}", pass.name, terms.text(expression), complaint, print(kernel.f)));
      continue;
    }
    ++changed_;
    const Proof proof = prove(terms, expression, *after);
    if (proof.wrong)
      failures_.push_back(fmt::format("{}: {} became {}: {}", pass.name, terms.text(expression),
                                      terms.text(*after), proof.what));
    for (const auto& [rule, times] : counts.of()) {
      const std::string name = fmt::format("{}: {}", pass.name, rule);
      RuleRow& row = rows_[name];
      row.applied += times;
      ++row.expressions;
      row.by_solver += proof.by_solver;
      row.by_values += proof.by_values;
      row.undecided += proof.undecided;
      row.wrong += proof.wrong;
      if (proof.undecided)
        undecided_.try_emplace(
            name, fmt::format("{} became {}", clipped(terms.text(expression)), clipped(terms.text(*after))));
    }
  }
}

std::vector<std::string> all_rules() {
  std::vector<std::string> names;
  for (const PassUnderTest& pass : kPasses)
    for (const std::string& rule : pass.rules()) names.push_back(fmt::format("{}: {}", pass.name, rule));
  return names;
}

}  // namespace kc::rewrites
