// SPDX-License-Identifier: Apache-2.0
// Variables that are read before they are written.
//
// A forward data-flow analysis computes two sets of variables: those without a value on some path ("may") and
// those without a value on all paths ("must"). A read of a "must" variable is certainly uninitialized. For a
// read of a "may" variable, the analysis searches a branch edge after which the read is inevitable and the
// variable certainly has no value; the warning is then certain whenever that edge is taken (the idea is
// clang's). The remaining reads depend on conditions that may be mutually exclusive; they have a separate
// warning.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>

#include "frontend/warn/warn.h"
#include "ir/ids.h"

namespace kc::front {

namespace {

constexpr size_t kMaxSetWords = size_t{1} << 24;  // of all sets; larger functions are not analysed
constexpr size_t MaxReads = 8;                    // per variable, for which a branch is searched

using Words = std::vector<uint64_t>;

struct ReadWithoutValue {
  SourceRange where;
  uint32_t block;
  bool certain;
};

struct Culprit {
  uint32_t block;
  size_t edge;
};

class Uninitialized {
 public:
  Uninitialized(const FlowGraph& graph, Diagnostics& diagnostics)
      : graph_(graph), diagnostics_(diagnostics) {}

  void run() {
    number_variables();
    words_ = (variables_.size() + 63) / 64;
    if (words_ == 0 || words_ * graph_.blocks.size() * 4 > kMaxSetWords) return;
    order_blocks();
    solve();
    collect_reads();
    for (size_t v = 0; v < variables_.size(); ++v)
      if (!reads_[v].empty()) report(v);
  }

 private:
  static bool tracked(const VarDecl* v) {
    return v->type->is_scalar() && v->space == AddressSpace::Private && !(v->qualifiers & Volatile);
  }

  // A variable has no value after its declaration, and where a jump enters its scope. Most are written next
  // in the same block; those are always initialized.
  void number_variables() {
    struct Next {
      uint32_t block = kNone;
      bool write = false;
    };
    std::vector<Next> next;  // by the variable's index: its next event
    for (uint32_t b = 0; b < graph_.blocks.size(); ++b) {
      const std::vector<FlowEvent>& events = graph_.blocks[b].events;
      const size_t first = variables_.size();
      for (size_t k = events.size(); k-- > 0;) {
        const FlowEvent& e = events[k];
        if (!e.variable || !tracked(e.variable)) continue;
        if (e.variable->index >= next.size()) next.resize(e.variable->index + 1);
        Next& n = next[e.variable->index];
        if (e.kind == FlowEvent::Declare && !(n.write && n.block == b)) number(e.variable);
        n = {b, e.kind == FlowEvent::Write};
      }
      // Diagnostics come in source order.
      std::reverse(variables_.begin() + static_cast<ptrdiff_t>(first), variables_.end());
      for (size_t n = first; n < variables_.size(); ++n)
        numbers_[variables_[n]->index] = static_cast<uint32_t>(n);
    }
  }

  void number(const VarDecl* v) {
    if (v->index >= numbers_.size()) numbers_.resize(v->index + 1, kNone);
    if (numbers_[v->index] != kNone) return;
    numbers_[v->index] = static_cast<uint32_t>(variables_.size());
    variables_.push_back(v);
  }

  // The variable's number, or kNone.
  uint32_t number_of(const FlowEvent& e) const {
    const VarDecl* v = e.variable;
    if (!v || v->index >= numbers_.size()) return kNone;
    uint32_t n = numbers_[v->index];  // file-scope variables have indices, too
    return n != kNone && variables_[n] == v ? n : kNone;
  }

  // Reverse post-order over feasible edges.
  void order_blocks() {
    size_t n = graph_.blocks.size();
    preds_.resize(n);
    std::vector<bool> seen(n);
    std::vector<std::pair<uint32_t, size_t>> path{{0, 0}};
    seen[0] = true;
    while (!path.empty()) {
      auto& [b, at] = path.back();
      const std::vector<FlowEdge>& next = graph_.blocks[b].next;
      if (at == next.size()) {
        order_.push_back(b);
        path.pop_back();
        continue;
      }
      const FlowEdge& e = next[at++];
      if (e.never) continue;
      preds_[e.to].push_back(b);
      if (!seen[e.to]) {
        seen[e.to] = true;
        path.push_back({e.to, 0});
      }
    }
    std::reverse(order_.begin(), order_.end());
  }

  // The bits of one block in one of the four sets.
  uint64_t* set(Words& of, uint32_t block) { return &of[block * words_]; }

  void solve() {
    size_t n = graph_.blocks.size() * words_;
    in_may_.assign(n, 0);
    out_may_.assign(n, 0);
    in_must_.assign(n, ~uint64_t{0});
    out_must_.assign(n, ~uint64_t{0});
    for (bool changed = true; changed;) {
      changed = false;
      for (uint32_t b : order_) changed |= step(b);
    }
  }

  bool step(uint32_t b) {
    uint64_t *may = set(in_may_, b), *must = set(in_must_, b);
    std::fill_n(may, words_, b == 0 ? ~uint64_t{0} : 0);
    std::fill_n(must, words_, ~uint64_t{0});
    for (uint32_t p : preds_[b])
      for (size_t w = 0; w < words_; ++w) {
        may[w] |= set(out_may_, p)[w];
        must[w] &= set(out_must_, p)[w];
      }
    may_.assign(may, may + words_), must_.assign(must, must + words_);
    for (const FlowEvent& e : graph_.blocks[b].events) apply(e, may_.data(), must_.data());
    bool changed = !std::ranges::equal(may_, std::span(set(out_may_, b), words_)) ||
                   !std::ranges::equal(must_, std::span(set(out_must_, b), words_));
    std::ranges::copy(may_, set(out_may_, b));
    std::ranges::copy(must_, set(out_must_, b));
    return changed;
  }

  void apply(const FlowEvent& e, uint64_t* may, uint64_t* must) const {
    const uint32_t v = number_of(e);
    if (v == kNone || e.kind == FlowEvent::Read) return;
    uint64_t bit = uint64_t{1} << (v % 64);
    size_t w = v / 64;
    bool has_none = e.kind == FlowEvent::Declare;
    may[w] = has_none ? may[w] | bit : may[w] & ~bit;
    must[w] = has_none ? must[w] | bit : must[w] & ~bit;
  }

  void collect_reads() {
    reads_.resize(variables_.size());
    for (uint32_t b : order_) {
      Words may(set(in_may_, b), set(in_may_, b) + words_), must(set(in_must_, b), set(in_must_, b) + words_);
      for (const FlowEvent& e : graph_.blocks[b].events) {
        const uint32_t v = number_of(e);
        if (e.kind == FlowEvent::Read && v != kNone && may[v / 64] >> (v % 64) & 1)
          reads_[v].push_back({e.where, b, (must[v / 64] >> (v % 64) & 1) != 0});
        apply(e, may.data(), must.data());
      }
    }
  }

  bool bit(Words& of, uint32_t block, size_t v) { return set(of, block)[v / 64] >> (v % 64) & 1; }

  std::optional<Culprit> find_branch(size_t v, uint32_t use) {
    size_t n = graph_.blocks.size();
    std::vector<size_t> visited(n);  // edges from each block that lead to the read
    std::vector<bool> leads(n);      // the read is inevitable from this block
    std::vector<uint32_t> pending{use};
    leads[use] = true;
    while (!pending.empty()) {
      uint32_t b = pending.back();
      pending.pop_back();
      for (uint32_t p : preds_[b]) {
        if (!bit(out_may_, p, v) || leads[p]) continue;
        const std::vector<FlowEdge>& next = graph_.blocks[p].next;
        size_t edges =
            static_cast<size_t>(std::count_if(next.begin(), next.end(), [](auto& e) { return !e.never; }));
        if (++visited[p] < edges) continue;
        leads[p] = true;
        pending.push_back(p);
      }
    }
    for (uint32_t b : order_) {
      if (visited[b] == 0 || leads[b] || !bit(out_must_, b, v)) continue;
      const std::vector<FlowEdge>& next = graph_.blocks[b].next;
      const FlowBlock& block = graph_.blocks[b];
      if (!block.condition && !block.choice && !block.call) continue;
      for (size_t i = 0; i < next.size(); ++i)
        if (!next[i].never && leads[next[i].to]) return Culprit{b, i};
    }
    return std::nullopt;
  }

  void report(size_t v) {
    std::vector<ReadWithoutValue>& reads = reads_[v];
    std::stable_sort(reads.begin(), reads.end(),
                     [](const auto& a, const auto& b) { return a.where.begin < b.where.begin; });
    std::string_view name = variables_[v]->name;
    for (const ReadWithoutValue& r : reads)
      if (r.certain) {
        Diagnostic& d = diagnostics_.warning(
            Warning::Uninitialized, r.where,
            fmt::format("variable '{}' is read before it is written; it reads 0 here", name));
        return note_declaration(d, v, r.where);
      }
    for (size_t i = 0; i < reads.size() && i < MaxReads; ++i)
      if (std::optional<Culprit> c = find_branch(v, reads[i].block)) return report_branch(v, reads[i], *c);
    Diagnostic& d = diagnostics_.warning(
        Warning::MaybeUninitialized, reads[0].where,
        fmt::format("variable '{}' is read before it is written on some path; it reads 0 here", name));
    note_declaration(d, v, reads[0].where);
  }

  void note_declaration(Diagnostic& d, size_t v, SourceRange read) {
    const VarDecl& var = *variables_[v];
    const Expr* initializer = var.initializer;
    bool own = initializer && read.begin >= initializer->range.begin && read.end <= initializer->range.end;
    d.note(var.range, own ? fmt::format("'{}' is declared here", var.name)
                      : initializer
                          ? fmt::format("a jump past this declaration leaves '{}' without a value", var.name)
                          : fmt::format("'{}' is declared here without a value", var.name));
  }

  void report_branch(size_t v, const ReadWithoutValue& read, const Culprit& c) {
    const FlowBlock& b = graph_.blocks[c.block];
    const CaseStmt* label = b.next[c.edge].case_label;
    SourceRange where;
    const char* when = nullptr;
    if (b.choice) {
      where = label ? label->range : b.choice->value->range;
      when = label ? "this case is taken" : "no case matches";
    } else if (b.condition) {
      where = b.condition->range;
      when = c.edge == 0 ? "this condition is true" : "this condition is false";
    } else {
      where = b.call->range;
      when = "this call throws";
    }
    Diagnostic& d = diagnostics_.warning(
        Warning::SometimesUninitialized, where,
        fmt::format("variable '{}' is read before it is written whenever {}", variables_[v]->name, when));
    note_declaration(d.note(read.where, "this reads 0 then"), v, read.where);
  }

  const FlowGraph& graph_;
  Diagnostics& diagnostics_;
  std::vector<const VarDecl*> variables_;
  std::vector<uint32_t> numbers_;  // by the variable's index
  size_t words_ = 0;
  std::vector<uint32_t> order_;
  std::vector<std::vector<uint32_t>> preds_;
  Words in_may_, out_may_, in_must_, out_must_;
  Words may_, must_;  // after the events of one block
  std::vector<std::vector<ReadWithoutValue>> reads_;
};

}  // namespace

void warn_uninitialized(const FlowGraph& graph, Diagnostics& diagnostics) {
  Uninitialized(graph, diagnostics).run();
}

}  // namespace kc::front
