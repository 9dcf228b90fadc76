// SPDX-License-Identifier: Apache-2.0
#include "fuzz/random_statements.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "fuzz/from_last.h"

namespace kc::fuzz {

void StatementWriter::line(const std::string& text) {
  calling_ = false;
  out_ += std::string(indent_ * 4, ' ') + text + "\n";
}

void StatementWriter::body(uint32_t variables, uint32_t statements, bool guarded) {
  line(fmt::format("int fuel = {}, k0 = 0, k1 = 0, k2 = 0;", in_kernel_ ? 40 : 10));
  // Numbers of all magnitudes and signs; counters and ids are small.
  line(from_last("const int d0 = in[(gid * {} + {}) & 63], d1 = in[{}];", LATER(random_.between(1, 9)),
                 LATER(random_.below(64)), LATER(random_.below(64))));
  line("const double f0 = d0 * 0.37;");
  line("long acc = d0 ^ gid;");
  for (const char* k : {"k0", "k1", "k2", "d0", "d1"}) scope_.push_back({.name = k, .writable = false});
  scope_.push_back({.name = "f0", .type = {.number = Number::Double}, .writable = false});
  scope_.push_back({.name = "acc", .type = {.number = Number::Long}});
  closed_.emplace_back();
  uint32_t calls = std::exchange(calls_, guarded ? 0 : calls_);  // they may throw
  // Conditions shared by several branches, which tests passes that correlate branches.
  if (random_.chance(60))
    for (const char* c : {"c0", "c1"}) {
      std::string shared = condition(1);
      line(fmt::format("const bool {} = {};", c, shared));
      conditions_.emplace_back(c);
    }
  for (uint32_t i = 0; i < variables; ++i) declare();
  if (guarded) calls_ = calls, open("try"), closed_.emplace_back();
  top_level(statements);
  if (guarded) {
    end_closed();
    close(" catch (...) {"), ++indent_;
    line("mine[14] ^= 5;");
    close();
  }
  end_closed();
}

void StatementWriter::top_level(uint32_t statements) {
  for (uint32_t i = 0; i < statements; ++i) statement(depth_);
}

void StatementWriter::end_closed() {
  for (const std::string& l : closed_.back().pending) line(l + ":;");
  closed_.pop_back();
}

std::string StatementWriter::observed(const SourcePlace& p) {
  return is_real(p.number) ? fmt::format("BITS({})", p.text) : p.text;
}

// Accumulates into the variable that is always part of the output.
void StatementWriter::accumulate() {
  if (random_.chance(35)) return line(fmt::format("acc ^= BITS({});", real(3)));
  line(fmt::format("acc = acc * 7 + {};", integer(3)));
}

void StatementWriter::declare() {
  SourceVariable v{.name = fmt::format("v{}", names_++), .type = any_type(45)};
  if (!plain_ && random_.chance(20)) {
    std::string target = object(v.type, true, 1);
    if (!target.empty()) {
      v.pointer = true;
      line(fmt::format("{} = &{};", declarator(v), target));
      scope_.push_back(std::move(v));
      return;
    }
  }
  for (uint32_t rank = random_.chance(40) ? random_.between(1, depth_) : 0; rank; --rank)
    v.dims.push_back(random_.between(1, v.type.record < 0 ? 5 : depth_));
  // Initializes the whole array without a list.
  if (!plain_ && v.dims.size() == 1 && v.type.record < 0 && random_.chance(30)) {
    line(declarator(v) + ";");
    line(fmt::format("for (int i_ = 0; i_ < {}; ++i_) {}[i_] = {};", v.dims[0], v.name, value(v.type, 1)));
  } else if (v.type.record >= 0 && v.dims.empty()) {
    line(fmt::format("{} = {};", declarator(v), record(v.type.record, 2)));
  } else {
    line(fmt::format("{} = {};", declarator(v), initializer(v, 0, 1)));
  }
  scope_.push_back(std::move(v));
}

void StatementWriter::statement(uint32_t depth) {
  if (random_.chance(tangled_ ? 18 : 7)) place_label();
  if (tangled_ && random_.chance(18)) return jump();
  if (!switches_.empty() && switches_.back().closed == closed_.size() && random_.chance(25)) case_label();
  if (atomics_ && in_kernel_ && random_.chance(25)) return tally();
  if (images_.used && random_.chance(18) && image_statement()) return;
  if (vectors_ && random_.chance(15)) return random_.chance(70) ? assign_vector() : store_vector();
  switch (uint32_t choice = random_.below(depth ? 25 : 14)) {
    case 0:
    case 1:
      return increment();
    case 2:
      return copy();
    case 3:
    case 4:
      return call();
    case 5:
      return store();
    case 6:
    case 7:
      return jump();
    case 8:
      return leave();
    case 9:
      return repoint();
    case 10:
      return plain_ || random_.chance(50) ? assign() : pointers();
    case 14:
    case 15:
      return branch(depth);
    case 16:
    case 17:
    case 18:
      return loop(depth);
    case 19:
      return choose(depth);
    case 24:
      return machine(depth);
    case 20:
      return block(depth);
    case 21:
    case 22:
      return attempt(depth);
    default:
      return choice & 1 ? assign() : accumulate();
  }
}

void StatementWriter::nested(uint32_t depth, uint32_t most) {
  for (uint32_t i = 0, n = random_.between(1, most); i < n; ++i) statement(depth - 1);
}

void StatementWriter::place_label() {
  ClosedRegion& region = closed_.back();
  if (!region.pending.empty()) {
    line(region.pending.back() + ":;");
    region.labels.push_back(region.pending.back());
    region.pending.pop_back();
  } else {
    region.labels.push_back(fmt::format("l{}", names_++));
    line(region.labels.back() + ":;");
  }
}

void StatementWriter::case_label() {
  int first = static_cast<int>(random_.below(8)), last = std::min(first + (random_.chance(15) ? 2 : 0), 7);
  for (int c = first; c <= last; ++c)
    if (switches_.back().used.contains(c)) return;
  for (int c = first; c <= last; ++c) switches_.back().used.insert(c);
  if (switches_.back().wide) {
    const char* values[] = {"-1", "0x7fffffff", "1000", "-128", "255", "77", "E2", "65535"};
    for (int c = first; c <= last; ++c) line(fmt::format("case {}:;", values[c & 7]));
    return;
  }
  line(first == last ? fmt::format("case {}:;", first) : fmt::format("case {} ... {}:;", first, last));
}

void StatementWriter::assign() {
  SourcePlace p = place(true, 2);
  std::vector<std::string> operators{"=", "=", "=", "+=", "-=", "*="};
  if (!is_real(p.number)) {
    for (const char* o : {"&=", "|=", "^="}) operators.emplace_back(o);
    if (!options_.portable)
      for (const char* o : {"/=", "%=", "<<=", ">>="}) operators.emplace_back(o);
  } else if (!options_.portable) {
    operators.emplace_back("/=");
  }
  std::string op = random_.pick_from(operators);
  bool whole = op == "&=" || op == "|=" || op == "^=" || op == "%=" || op == "<<=" || op == ">>=";
  line(fmt::format("{} {} {};", p.text, op, whole ? integer(3) : number(p.number, 3)));
}

void StatementWriter::increment() {
  SourcePlace p = place(true, 2);
  if (p.number == Number::Bool) return line(fmt::format("{} = !{};", p.text, p.text));
  line(fmt::format(fmt::runtime(random_.pick<const char*>({"++{};", "{}--;"})), p.text));
}

void StatementWriter::copy() {
  SourceType t = any_type(100);
  std::string to = object(t, true, 1);
  if (to.empty()) return assign();
  line(fmt::format("{} = {};", to, record(t.record, 2)));
}

void StatementWriter::call() {
  if (helpers_.empty() || calls_ == 0) return assign();
  const SourceHelper& h = random_.pick_from(helpers_);
  std::string args = "in, gid";
  for (const SourceVariable& p : h.params) {
    std::string target = p.pointer ? object(p.type, true, 1) : "";
    if (p.pointer && target.empty()) return assign();
    calling_ = true;
    args += ", " + (p.pointer ? "&" + target : value(p.type, 2));
  }
  --calls_;
  std::string text = fmt::format("{}({})", h.name, args);
  if (h.is_void) return line(text + ";");
  if (h.result.record < 0) {
    if (h.result.lanes > 1) text += swizzle(h.result.lanes, 1, true);
    if (!is_real(h.result.number)) return line(fmt::format("acc = acc * 5 + {};", text));
    return line(fmt::format("acc = acc * 5 + BITS({});", text));
  }
  std::string to = object(h.result, true, 0);
  // The call may change operands of the left lvalue: C++ evaluates it after the call.
  if (to.empty() || options_.portable) {
    open("");
    SourceVariable v{.name = fmt::format("v{}", names_++), .type = h.result};
    line(fmt::format("{} = {};", declarator(v), text));
    if (!to.empty()) line(fmt::format("{} = {};", to, v.name));
    close();
  } else {
    line(fmt::format("{} = {};", to, text));
  }
}

void StatementWriter::store() {
  if (!in_kernel_) return assign();
  const char* op = random_.pick({"=", "+=", "^="});
  switch (random_.below(4)) {
    case 0:
      return line(from_last("real[gid * 4 + ({})] = {};", LATER(index(4, 2)), LATER(real(3))));
    case 1: {
      Number n = random_.pick({Number::Short, Number::Uchar, Number::Int, Number::Ushort, Number::Char});
      return line(from_last("((global {}*)mine)[{}] {} {};", LATER(spelling(n)), LATER(index(16, 2)),
                            LATER(op), LATER(integer(3))));
    }
    default:
      return line(from_last("mine[{}] {} {};", LATER(index(16, 2)), LATER(op), LATER(integer(3))));
  }
}

void StatementWriter::tally() {
  if (!counters_.empty() && random_.chance(60)) return count_shared();
  // By cell: four sums, then two of each.
  static constexpr const char* operations[] = {"add", "min", "max", "or", "and", "xor"};
  uint32_t cell = random_.below(16), kind = cell < 4 ? 0 : (cell - 2) / 2;
  bool is_unsigned = cell >= 14, wide = random_.chance(35);
  std::string at = cell < 4 ? index(4, 2) : fmt::format("{} + ({})", cell & ~1u, index(2, 2));
  std::string name = is_unsigned ? random_.pick<const char*>({"min", "max"}) : operations[kind];
  if (is_unsigned) at = fmt::format("{}", name == "min" ? 14 : 15);
  if (kind == 0) name = random_.pick<const char*>({"add", "sub", "inc", "dec"});
  const char* space = "global";
  std::string buffer = wide ? "wide" : "tally";
  if (!wide && local_atomics_ && random_.chance(50)) buffer = "cells", space = "local";
  if (is_unsigned) buffer = fmt::format("(({} {}*){})", space, wide ? "ulong" : "uint", buffer);
  std::string operand = name == "inc" || name == "dec" ? "" : ", " + integer(2);
  line(fmt::format("{}_{}(&{}[{}]{});", wide ? "atom" : "atomic", name, buffer, at, operand));
}

void StatementWriter::jump() {
  // Includes outer regions; such a jump leaves blocks, try bodies and handlers.
  ClosedRegion& region = closed_[wall_ + random_.below(static_cast<uint32_t>(closed_.size() - wall_))];
  std::string label;
  if (!region.labels.empty() && random_.chance(50)) {
    label = random_.pick_from(region.labels);
  } else {
    label = fmt::format("l{}", names_++);
    region.pending.push_back(label);
  }
  line(fmt::format("if (fuel-- > 0 && {}) goto {};", condition(1), label));
}

void StatementWriter::leave() {
  std::string c = condition(2);
  switch (random_.below(5)) {
    case 0:
      if (breakable_) return line(fmt::format("if ({}) break;", c));
      break;
    case 1:
      if (loops_) return line(fmt::format("if ({}) continue;", c));
      break;
    case 2:
      if (stays_ || random_.chance(70)) break;
      return line(function_.is_void ? fmt::format("if ({}) return;", c)
                                    : fmt::format("if ({}) return {};", c, value(function_.result, 2)));
    default:
      break;
  }
  if (!throws_) return assign();
  if (handler_ && random_.chance(40)) return line(fmt::format("if ({}) throw;", c));
  line(fmt::format("if ({}) throw {};", c, thrown()));
}

std::string StatementWriter::thrown() {
  if (random_.chance(45)) return record(any_type(100).record, 1);
  Number n = traps_ ? random_.pick({Number::Int, Number::Uchar, Number::Ulong})
                    : random_.pick({Number::Int, Number::Uchar, Number::Ulong, Number::Float});
  return fmt::format("({})({})", spelling(n), n == Number::Float ? real(1) : integer(2));
}

void StatementWriter::repoint() {
  for (size_t i = 0; i < scope_.size(); ++i) {
    if (!scope_[i].pointer || random_.chance(50)) continue;
    // Points only to objects that live at least as long as the pointer.
    std::vector<SourceVariable> all(scope_.begin() + static_cast<std::ptrdiff_t>(i), scope_.end());
    SourceVariable v = scope_[i];
    scope_.resize(i);
    std::string target = object(v.type, true, 1);
    scope_.insert(scope_.end(), all.begin(), all.end());
    if (target.empty()) continue;
    return line(fmt::format("if ({}) {} = &{};", condition(1), v.name, target));
  }
  assign();
}

void StatementWriter::pointers() {
  std::string t(spelling(random_.pick({Number::Char, Number::Ushort, Number::Int, Number::Ulong})));
  std::string u(spelling(random_.pick({Number::Uchar, Number::Short, Number::Long})));
  auto e = [&] { return integer(2); };
  auto at = [&](uint32_t n) { return index(n, 2); };
  open("");
  closed_.emplace_back();
  line(fmt::format("struct link {{ {} c; {} *p; {} w[2]; struct link *n; }};", u, t, u));
  line(from_last("{}{} g[2][4] = {{{{{}, {}, {}}}, {{{}}}}};", LATER(random_.chance(20) ? "volatile " : ""),
                 LATER(t), LATER(e()), LATER(e()), LATER(e()), LATER(e())));
  line(from_last("{0} *gp[3] = {{({0}*)&g[{1}][{2}], ({0}*)g[{3}], ({0}*)g[1] + ({4})}};", LATER(t),
                 LATER(at(2)), LATER(at(4)), LATER(at(2)), LATER(at(4))));
  line(from_last("{} **gq = &gp[{}], **gr = gp + ({});", LATER(t), LATER(at(3)), LATER(at(3))));
  line(from_last("struct link s = {{{}, *gr, {{{}, {}}}, 0}}, l[2] = {{s, {{1, gp[{}], {{2}}, &s}}}};",
                 LATER(e()), LATER(e()), LATER(e()), LATER(at(3))));
  line("s.n = &l[1], l[0].n = &s;  // no link is null");
  line(fmt::format("{0} (*row)[4] = ({0} (*)[4])g;", t));
  for (uint32_t i = 0, n = random_.between(2, 6); i < n; ++i) {
    const std::string three = at(3), two = at(2), four = at(4);
    pointer_statement(t, e(), four, two, three);
  }
  end_closed();
  line("for (int i_ = 0; i_ < 8; ++i_) acc = acc * 7 + g[i_ >> 2][i_ & 3];");
  line("acc = acc * 3 + s.w[0] * 3 + s.w[1] + l[0].w[1] + l[1].w[0] + l[1].c + *l[0].n->p + (gq == gr);");
  close();
}

void StatementWriter::pointer_statement(const std::string& t, const std::string& e, const std::string& four,
                                        const std::string& two, const std::string& three) {
  if (random_.chance(20)) place_label();
  switch (random_.below(11)) {
    case 0:
      return line(fmt::format("**gq += {};", e));
    case 1:
      return line(fmt::format("*gr = gp[{}];", three));
    case 2:
      return line(fmt::format("gp[{}][0] ^= {};", three, e));
    case 3:
      return line(fmt::format("row[{}][{}] = {};", two, four, e));
    case 4:
      return line(fmt::format("if ({}) gq = &gp[{}];", condition(1), three));
    case 5:
      return line(fmt::format("l[{}] = s;", two));
    case 6:
      return line(fmt::format("s = l[{}];", two));
    case 7:
      line("s.n = &l[0], l[1].n = &s, l[0].n = &l[1];");
      return line(fmt::format("s.n->n->n->w[{}] -= {};", two, e));
    case 8:
      return line(fmt::format("l[{}].p = &(*row)[{}];", two, four));
    case 9:
      return line(fmt::format("*(s.p != gp[0] ? s.p : ({}*)&g[1][{}]) = {};", t, four, e));
    default:
      return line(fmt::format("s.w[{}] *= *s.p + (s.n == &s) + (s.p == *gq) + (long)({});", two, e));
  }
}

void StatementWriter::closed_body(uint32_t depth, bool declarations) {
  size_t size = scope_.size();
  closed_.emplace_back();
  if (declarations)
    for (uint32_t i = 0, n = random_.between(1, 2); i < n; ++i) declare();
  nested(depth);
  end_closed();
  scope_.resize(size);
}

void StatementWriter::any_body(uint32_t depth) {
  if (random_.chance(35))
    closed_body(depth, true);
  else
    open_body(depth);
}

void StatementWriter::block(uint32_t depth) {
  open("");
  closed_body(depth, true);
  close();
}

void StatementWriter::branch(uint32_t depth) {
  open(fmt::format("if ({})", condition(2)));
  const Random before = random_;
  any_body(depth);
  if (random_.chance(50)) {
    --indent_;
    line("} else {");
    ++indent_;
    // Similar arms exercise control-flow melding.
    if (random_.chance(40))
      like(before, [&] { any_body(depth); });
    else
      any_body(depth);
  }
  close();
}

// Writes a near copy of the statements from `first` on, sometimes in its own if. The statements after it do
// not depend on the choice.
void StatementWriter::like(const Random& first, const std::function<void()>& write) {
  Random choice = random_.near_copy(100, names_);
  const uint32_t percent = random_.pick<uint32_t>({0, 3, 10});
  const Random after = std::exchange(random_, choice);
  const bool wrapped = random_.chance(25);
  if (wrapped) open(fmt::format("if ({})", condition(1)));
  random_ = first.near_copy(percent, names_);
  write();
  if (wrapped) close();
  random_ = after;
}

void StatementWriter::loop(uint32_t depth) {
  std::string k = fmt::format("k{}", depth - 1);
  std::string bound = from_last("((gid * {} + {}) & 3) + {}", LATER(random_.below(4)),
                                LATER(random_.below(9)), LATER(random_.between(1, 2)));
  bool outer_break = breakable_;
  breakable_ = true;
  ++loops_;
  // A second entry.
  std::string entry;
  if (random_.chance(tangled_ ? 50 : 8)) {
    entry = fmt::format("l{}", names_++);
    line(fmt::format("if ({}) goto {};", condition(1), entry));
  }
  auto inside = [&] {
    if (entry.empty()) return any_body(depth);
    nested(depth, 2);
    line(entry + ":;");
    nested(depth, 2);
  };
  switch (random_.below(3)) {
    case 0:
      open(fmt::format("for ({0} = 0; {0} < {1} && fuel-- > 0; ++{0})", k, bound));
      inside();
      close();
      break;
    case 1:
      open(fmt::format("while (fuel-- > 0 && {})", condition(2)));
      inside();
      close();
      break;
    default:
      open("do");
      inside();
      close(fmt::format(" while (fuel-- > 0 && {});", condition(2)));
  }
  --loops_;
  breakable_ = outer_break;
}

// A switch whose arms are near copies of the first.
void StatementWriter::choose_alike(uint32_t depth) {
  open(from_last("switch (({}) & {})", LATER(integer(2)), LATER(random_.pick<uint32_t>({1, 3, 3}))));
  const bool has_default = random_.chance(50);
  const Random first = random_;
  for (uint32_t arm = 0; arm < 3; ++arm) {
    line(has_default && arm == 2 ? "default:;" : fmt::format("case {}:;", arm));
    open("");
    if (arm == 0)
      closed_body(depth, true);
    else
      like(first, [&] { closed_body(depth, true); });
    close();
    line("break;");
  }
  close();
}

void StatementWriter::choose(uint32_t depth) {
  if (random_.chance(30)) return choose_alike(depth);
  bool outer_break = breakable_;
  breakable_ = true;
  bool wide = random_.chance(20);
  std::string by = fmt::format("({}) & 7", integer(2));
  if (wide)
    by = from_last("({})({})", LATER(random_.pick<const char*>({"int", "long", "short"})), LATER(integer(2)));
  open(fmt::format("switch ({})", by));
  switches_.push_back({.closed = closed_.size(), .wide = wide});
  bool has_default = random_.chance(60);
  for (uint32_t i = 0, n = random_.between(2, 5), at = random_.below(n); i < n; ++i) {
    if (has_default && i == at)
      line("default:;");
    else
      case_label();
    nested(depth, 2);
    if (random_.chance(60)) line("break;");
  }
  switches_.pop_back();
  close();
  breakable_ = outer_break;
}

void StatementWriter::machine(uint32_t depth) {
  const std::string name = fmt::format("m{}", names_++);
  const uint32_t states = random_.between(2, 6);
  const bool cases = random_.chance(30);
  open("");
  size_t size = scope_.size();
  closed_.emplace_back();
  line(
      from_last("int {0}at = ({1}) & 63, {0}left = ((gid * {2} + {3}) & 15) + 2, {0}seen = {4}, {0}last = 0;",
                LATER(name), LATER(integer(1)), LATER(random_.below(6)), LATER(random_.below(9)),
                LATER(random_.below(states))));
  for (const char* part : {"seen", "last"})
    scope_.push_back({.name = name + part, .type = {.number = Number::Int}});
  bool outer_break = std::exchange(breakable_, false);
  if (cases) {
    open(fmt::format("while ({0}left-- > 0)", name));
    open(fmt::format("switch ({}seen)", name));
  }
  for (uint32_t s = 0; s < states; ++s) {
    line(cases ? fmt::format("case {}:", s) : fmt::format("{}s{}:", name, s));
    ++indent_;
    machine_state(name, states, cases ? states : s, depth);
    --indent_;
  }
  if (cases) close(), close();
  breakable_ = outer_break;
  end_closed();
  line(fmt::format("{}end:;", name));
  scope_.resize(size);
  close();
}

void StatementWriter::machine_state(const std::string& name, uint32_t states, uint32_t self, uint32_t depth) {
  const bool cases = self == states;
  const bool late = random_.chance(15);
  const std::string ends =
      fmt::format("if ({0}left-- {1} 0) goto {0}end;", name, random_.chance(90) ? "<=" : "<");
  if (!cases && !late) line(ends);
  if (random_.chance(10)) statement(depth - 1);
  line(fmt::format("{0}last = in[{0}at{1} & 63];", name, random_.chance(80) ? "++" : ""));
  if (!cases && late) line(ends);
  for (uint32_t k = random_.below(3); k-- > 0;) statement(depth - 1);
  auto to = [&](uint32_t s) {
    return cases ? fmt::format("{{ {}seen = {}; break; }}", name, s) : fmt::format("goto {}s{};", name, s);
  };
  for (uint32_t k = random_.below(4); k-- > 0;)
    line(from_last("if (({}last & {}) == {}) {}", LATER(name), LATER(random_.pick({1, 3, 6, 12})),
                   LATER(random_.pick({0, 1, 2, 4})),
                   LATER(random_.chance(85) ? to(random_.below(states)) : fmt::format("goto {}end;", name))));
  if (cases)
    line(from_last("{0}seen = {1}{2}", LATER(name), LATER(random_.below(states)),
                   LATER(random_.chance(80) ? "; break;" : ";")));
  else if (random_.chance(70))
    line(to(random_.below(states)));
}

void StatementWriter::attempt(uint32_t depth) {
  if (!throws_) return branch(depth);
  open("try");
  closed_body(depth, random_.chance(50));
  --indent_;
  std::vector<SourceType> caught;
  for (uint32_t i = 0, n = random_.between(1, 3); i < n; ++i) {
    SourceType t = any_type(50);
    if (t.record < 0)
      t = {.number = random_.pick({Number::Int, Number::Uchar, Number::Ulong, Number::Float})};
    bool again = false;
    for (const SourceType& c : caught) again = again || c == t;
    if (again) continue;
    caught.push_back(t);
    handle(depth, SourceVariable{.name = fmt::format("e{}", names_++), .type = t});
  }
  if (random_.chance(40)) handle(depth, {.name = ""});
  line("}");
}

void StatementWriter::handle(uint32_t depth, const SourceVariable& e) {
  line(fmt::format("}} catch ({}) {{", e.name.empty() ? "..." : declarator(e)));
  ++indent_;
  size_t size = scope_.size();
  if (!e.name.empty()) scope_.push_back(e);
  bool outer = handler_;
  handler_ = true;
  closed_body(depth, random_.chance(30));
  handler_ = outer;
  scope_.resize(size);
  --indent_;
}

}  // namespace kc::fuzz
