// SPDX-License-Identifier: Apache-2.0
#include "tests/property/random_cfg.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>

#include "ir/text.h"
#include "tests/property/random_graph.h"

namespace kc::test {
namespace {

// Words of each work-item's slice of the buffers.
constexpr int kIn = 4, kOut = 16, kFloats = 4, kScratch = 8;

// Some seeds launch two dimensions with offsets and need the general form of the linear id.
bool general_ids(uint64_t seed) { return seed % 4 == 3; }

class Generator {
 public:
  Generator(uint64_t seed, const RandomOptions& options)
      : r_(seed),
        options_(options),
        general_(general_ids(seed)),
        owned_(std::make_unique<Function>()),
        f_(*owned_),
        b_(f_) {}

  std::unique_ptr<Function> make();

 private:
  struct Counter {
    VarId total, trip;
    const GraphNode* node = nullptr;
  };

  void entry();
  void variables();
  void node(uint32_t i);
  void head(uint32_t i, BlockId body);
  void finish();
  ValueId initial(const GraphNode& n);
  Counter counter(const GraphNode& n, std::string_view name);

  void statement();
  void integer_statement();
  void float_statement();
  void wide_statement();
  void load_statement();
  void store_statement();
  ValueId integer();
  ValueId uniform_integer();
  ValueId condition();
  ValueId float_value();
  ValueId element(ValueId base, ValueId index, int64_t scale) {
    return b_.make(Op::ptr_add, kPtrGlobal, {base, index}, {scale, 0});
  }
  // Operands are initialized in braces, whose evaluation order is left to right in every compiler.
  struct Unary {
    Op o;
    Type type;
    ValueId x;
  };
  struct Binary {
    Op o;
    ValueId x, y;
  };
  struct Pair {
    ValueId x, y;
  };
  struct Assignment {
    VarId var;
    ValueId x;
  };
  ValueId unary(Unary u) { return b_.make(u.o, u.type, {u.x}); }
  ValueId op(Binary p) { return b_.make(p.o, f_.type(p.x), {p.x, p.y}); }
  ValueId compare(Binary p) { return b_.make(p.o, kI1, {p.x, p.y}); }
  ValueId arithmetic(Pair p);
  void set(Assignment s) { b_.set(s.var, s.x); }
  ValueId small(ValueId x, int32_t limit) { return op({Op::and_, x, b_.i32(limit - 1)}); }
  ValueId constant() {
    return b_.i32(r_.chance(70) ? static_cast<int32_t>(r_.between(0, 20)) - 6
                                : r_.pick({INT32_MIN, INT32_MAX, -1, 0, 31, 32, 0x55555555, 1 << 20}));
  }
  ValueId float_constant() {
    return f_.constant(
        kF32, std::bit_cast<uint32_t>(r_.pick({0.0f, -0.0f, 1.0f, -2.5f, 0.1f, 3e9f, 1e-40f, 16777216.0f})));
  }
  VarId any_int() { return r_.pick_from(ints_); }
  VarId any_uniform() { return r_.pick_from(uniforms_); }

  Random r_;
  const RandomOptions& options_;
  bool general_;
  std::unique_ptr<Function> owned_;
  Function& f_;
  Builder b_;
  uint32_t uniform_conditions_ = 50;  // percent
  std::vector<GraphNode> graph_;
  std::vector<BlockId> block_;     // first block of a node
  std::vector<Counter> counters_;  // by node: of its loop head or of its guard
  std::vector<VarId> ints_, uniforms_, floats_;
  VarId wide_, flag_;
  ValueId in_, out_, fl_, a_, bb_, x_;   // parameters
  ValueId id_, my_in_, my_out_, my_fl_;  // of the entry
};

std::unique_ptr<Function> Generator::make() {
  GraphStyle style;
  style.nodes =
      r_.between(options_.min_blocks,
                 r_.chance(80) ? (options_.min_blocks + options_.max_blocks) / 2 : options_.max_blocks);
  style.nodes = std::max(style.nodes, 3u) - 2;
  style.window = r_.between(1, 5);
  style.retreat = r_.pick({0u, 20u, 30u, 50u, 60u});
  style.heads = r_.pick({10u, 25u, 40u});
  style.switches = r_.pick({0u, 8u, 20u});
  style.jumps = r_.pick({10u, 35u, 60u});
  style.traps = options_.traps && r_.chance(30) ? 10 : 0;
  style.uniform_fuel = r_.pick({0u, 50u, 100u});
  style.reducible = !options_.irreducible || r_.chance(50);
  uniform_conditions_ = r_.pick({0u, 30u, 60u, 100u});
  graph_ = random_graph(r_, style);

  f_.name = "random";
  f_.params = {{.name = "in", .pointee = Elem::I32, .is_const = true},
               {.name = "out", .pointee = Elem::I32},
               {.name = "fl", .pointee = Elem::F32},
               {.name = "a"},
               {.name = "b"},
               {.name = "x"}};
  for (size_t i = 0; i < graph_.size(); ++i) block_.push_back(f_.add_block());
  if (style.traps)
    for (uint32_t i = 0; i < 3; ++i)
      f_.traps.push_back(
          {i == 2 ? TrapKind::Assert : TrapKind::UncaughtThrow, i == 2 ? "" : "int", {10 + i, 1}});
  entry();
  for (uint32_t i = 1; i + 1 < graph_.size(); ++i) node(i);
  finish();
  return std::move(owned_);
}

void Generator::entry() {
  b_.block = block_[0];
  BlockId e = block_[0];
  in_ = f_.add_param(e, kPtrGlobal), out_ = f_.add_param(e, kPtrGlobal), fl_ = f_.add_param(e, kPtrGlobal);
  a_ = f_.add_param(e, kI32), bb_ = f_.add_param(e, kI32), x_ = f_.add_param(e, kF32);
  ValueId linear = b_.make(Op::global_id, kI64, {}, {0});
  if (general_) {
    linear = op({Op::sub, linear, b_.make(Op::global_offset, kI64, {}, {0})});
    ValueId y =
        op({Op::sub, b_.make(Op::global_id, kI64, {}, {1}), b_.make(Op::global_offset, kI64, {}, {1})});
    linear = op({Op::add, linear, op({Op::mul, y, b_.make(Op::global_size, kI64, {}, {0})})});
  }
  id_ = b_.make(Op::trunc, kI32, {linear});
  my_in_ = element(in_, linear, kIn * 4);
  my_out_ = element(out_, linear, kOut * 4);
  my_fl_ = element(fl_, linear, kFloats * 4);
  variables();
  counters_.resize(graph_.size());
  for (uint32_t i = 1; i + 1 < graph_.size(); ++i)
    if (graph_[i].head || graph_[i].guarded) counters_[i] = counter(graph_[i], fmt::format("n{}", i));
  b_.br(block_[1]);
}

void Generator::variables() {
  for (uint32_t i = 0, n = r_.between(2, 5); i < n; ++i) {
    VarId v = f_.add_var(fmt::format("v{}", i), kI32);
    ints_.push_back(v);
    set({v, r_.chance(50)
                ? b_.make(Op::load, kI32, {element(my_in_, b_.i32(static_cast<int32_t>(i % kIn)), 4)})
                : r_.pick({id_, a_, bb_, b_.i32(static_cast<int32_t>(i))})});
  }
  for (uint32_t i = 0; i < 2; ++i) {
    VarId v = f_.add_var(fmt::format("u{}", i), kI32);
    uniforms_.push_back(v);
    set({v, i == 0 ? a_ : constant()});
  }
  for (uint32_t i = 0; options_.floats && i < 2; ++i) {
    VarId v = f_.add_var(fmt::format("f{}", i), kF32);
    floats_.push_back(v);
    set({v, i == 0 ? b_.make(Op::load, kF32, {my_fl_}) : x_});
  }
  wide_ = f_.add_var("w", kI64);
  set({wide_, b_.make(Op::sext, kI64, {bb_})});
  flag_ = f_.add_var("p", kI1);
  set({flag_, compare({Op::slt, a_, bb_})});
}

ValueId Generator::initial(const GraphNode& n) {
  switch (n.fuel) {
    case Fuel::Constant:
      return b_.i32(static_cast<int32_t>(n.amount));
    case Fuel::Scalar:
      return op({Op::add, small(a_, 4), b_.i32(1)});
    default:
      return op({Op::add, small(r_.chance(50) ? id_ : b_.make(Op::load, kI32, {my_in_}), 4), b_.i32(1)});
  }
}

Generator::Counter Generator::counter(const GraphNode& n, std::string_view name) {
  Counter c{f_.add_var(fmt::format("{}.total", name), kI32), {}, &n};
  set({c.total, op({Op::add, initial(n), b_.i32(n.head && n.refills ? 4 : 0)})});
  if (n.head && n.refills) {
    c.trip = f_.add_var(fmt::format("{}.trip", name), kI32);
    set({c.trip, b_.i32(2)});
  }
  return c;
}

// Counts an entry; branches to `after` once the count is exhausted.
void Generator::head(uint32_t i, BlockId body) {
  const GraphNode& n = graph_[i];
  const Counter& c = counters_[i];
  ValueId total = b_.get(c.total);
  ValueId more = compare({Op::slt, b_.i32(0), total});
  set({c.total, op({Op::sub, total, b_.i32(1)})});
  BlockId after = block_[n.after];
  if (n.refills) {
    ValueId trip = b_.get(c.trip);
    more = op({Op::and_, more, compare({Op::slt, b_.i32(0), trip})});
    set({c.trip, op({Op::sub, trip, b_.i32(1)})});
    BlockId done = f_.add_block("refill");
    b_.br_if(more, {body, {}}, {done, {}});
    b_.block = done;
    set({c.trip, b_.i32(2)});
    b_.br(after);
  } else {
    b_.br_if(more, {body, {}}, {after, {}});
  }
}

void Generator::node(uint32_t i) {
  const GraphNode& n = graph_[i];
  b_.block = block_[i];
  if (n.head) {
    BlockId body = f_.add_block("body");
    head(i, body);
    b_.block = body;
  }
  for (uint32_t k = r_.below(r_.chance(20) ? 9 : 4); k > 0; --k) statement();
  b_.loc = {i, 1};
  auto to = [&](size_t k) { return Target{block_[n.slots[k].to], {}}; };
  if (n.slots.empty()) {
    ValueId thrown = integer();
    b_.emit(Op::trap, {thrown}, {}, {r_.below(3)});
  } else if (n.slots.size() == 1) {
    b_.br(block_[n.slots[0].to]);
  } else if (n.slots.size() == 2) {
    ValueId c = condition();
    if (n.guarded) {
      VarId total = counters_[i].total;
      ValueId left = b_.get(total);
      set({total, op({Op::sub, left, b_.i32(1)})});
      ValueId more = compare({Op::slt, b_.i32(0), left});
      c = r_.chance(50) ? more : op({Op::and_, more, c});
    }
    b_.br_if(c, to(0), to(1));
  } else {
    std::vector<ValueId> operands{small(r_.chance(uniform_conditions_) ? uniform_integer() : integer(), 4)};
    TargetList targets;
    for (size_t k = 0; k < n.slots.size(); ++k) {
      if (k) operands.push_back(b_.i32(static_cast<int32_t>(k) - 1));
      targets.push_back(to(k));
    }
    f_.inst(b_.emit(Op::switch_, operands)).targets = std::move(targets);
  }
  b_.loc = {};
}

// Writes the final value of every variable.
void Generator::finish() {
  b_.block = block_.back();
  int word = kScratch;
  for (VarId v : ints_) b_.emit(Op::store, {element(my_out_, b_.i32(word++), 4), b_.get(v)});
  ValueId rest = op({Op::xor_, b_.get(uniforms_[0]), op({Op::mul, b_.get(uniforms_[1]), b_.i32(31)})});
  rest = op({Op::add, rest, b_.make(Op::zext, kI32, {b_.get(flag_)})});
  b_.emit(Op::store, {element(my_out_, b_.i32(word++), 4), rest});
  b_.emit(Op::store, {element(my_out_, b_.i32(kOut - 2), 4), b_.get(wide_)});
  for (size_t i = 0; i < floats_.size(); ++i)
    b_.emit(Op::store, {element(my_fl_, b_.i32(static_cast<int32_t>(2 + i)), 4), b_.get(floats_[i])});
  b_.ret();
}

ValueId Generator::uniform_integer() {
  switch (r_.below(4)) {
    case 0:
      return a_;
    case 1:
      return op({Op::lshr, bb_, b_.i32(static_cast<int32_t>(r_.below(8)))});
    default:
      return b_.get(any_uniform());
  }
}

ValueId Generator::integer() {
  switch (r_.below(8)) {
    case 0:
      return constant();
    case 1:
      return id_;
    case 2:
      return uniform_integer();
    default:
      return b_.get(any_int());
  }
}

ValueId Generator::float_value() { return r_.chance(25) ? float_constant() : b_.get(r_.pick_from(floats_)); }

ValueId Generator::condition() {
  if (r_.chance(uniform_conditions_)) {
    ValueId u = uniform_integer();
    if (r_.chance(50)) return compare({Op::ne, op({Op::and_, u, b_.i32(1 << r_.below(4))}), b_.i32(0)});
    return compare({r_.pick({Op::slt, Op::ult, Op::eq}), u, constant()});
  }
  switch (r_.below(6)) {
    case 0:
      return compare({Op::ne, op({Op::and_, id_, b_.i32(1 << r_.below(4))}), b_.i32(0)});
    case 1:
      return compare(
          {Op::ne, op({Op::and_, b_.make(Op::load, kI32, {my_in_}), b_.i32(1 << r_.below(8))}), b_.i32(0)});
    case 2:
      return b_.get(flag_);
    case 3:
      if (!floats_.empty())
        return compare({r_.pick({Op::flt, Op::fle, Op::feq, Op::fne}), float_value(), float_value()});
      [[fallthrough]];
    default:
      return compare(
          {r_.pick({Op::slt, Op::sle, Op::ult, Op::ule, Op::eq, Op::ne}), b_.get(any_int()), integer()});
  }
}

ValueId Generator::arithmetic(Pair p) {
  auto [x, y] = p;
  if (r_.chance(15)) return op({r_.pick({Op::sdiv, Op::udiv, Op::srem, Op::urem}), x, y});
  return op({r_.pick({Op::add, Op::sub, Op::mul, Op::and_, Op::or_, Op::xor_, Op::shl, Op::lshr, Op::ashr,
                      Op::smin, Op::smax, Op::umin, Op::umax, Op::add, Op::add}),
             x, y});
}

void Generator::statement() {
  switch (r_.below(10)) {
    case 0:
      return load_statement();
    case 1:
      return store_statement();
    case 2:
    case 3:
      if (!floats_.empty()) return float_statement();
      return integer_statement();
    case 4:
      return wide_statement();
    case 5: {
      VarId u = any_uniform();
      return set({u, arithmetic({b_.get(u), r_.chance(50) ? constant() : uniform_integer()})});
    }
    case 6:
      return set({flag_, r_.chance(50)
                             ? condition()
                             : op({r_.pick({Op::and_, Op::or_, Op::xor_}), b_.get(flag_), condition()})});
    default:
      return integer_statement();
  }
}

void Generator::integer_statement() {
  ValueId v = arithmetic({integer(), integer()});
  for (uint32_t k = r_.below(3); k > 0; --k) v = arithmetic({v, integer()});
  if (r_.chance(20)) v = b_.make(Op::select, kI32, {condition(), v, integer()});
  set({any_int(), v});
}

void Generator::float_statement() {
  VarId dst = r_.pick_from(floats_);
  switch (r_.below(6)) {
    case 0:
      return set({any_int(), unary({r_.pick({Op::fptosi, Op::fptoui}), kI32, float_value()})});
    case 1:
      return set({dst, unary({r_.pick({Op::sitofp, Op::uitofp}), kF32, integer()})});
    case 2:
      return set({dst, b_.make(r_.pick({Op::fneg, Op::fabs, Op::fsqrt, Op::ffloor, Op::fceil, Op::ftrunc,
                                        Op::frint}),
                               kF32, {float_value()})});
    case 3:
      return set({dst, b_.make(Op::ffma, kF32, {float_value(), float_value(), float_value()})});
    default:
      return set({dst, op({r_.pick({Op::fadd, Op::fsub, Op::fmul, Op::fdiv, Op::fmin, Op::fmax}),
                           float_value(), float_value()})});
  }
}

void Generator::wide_statement() {
  if (r_.chance(30))
    return set({any_int(), b_.make(Op::trunc, kI32, {op({Op::lshr, b_.get(wide_), b_.i64(r_.below(40))})})});
  ValueId y = unary({r_.pick({Op::sext, Op::zext}), kI64, integer()});
  set({wide_, op({r_.pick({Op::add, Op::sub, Op::mul, Op::xor_, Op::ashr, Op::shl}), b_.get(wide_), y})});
}

void Generator::load_statement() {
  switch (r_.below(4)) {
    case 0:  // the same word for all work-items with the same index
      return set({any_uniform(), b_.make(Op::load, kI32, {element(in_, small(uniform_integer(), 16), 4)})});
    case 1:
      return set({any_int(), b_.make(Op::load, kI32, {element(in_, small(integer(), 16), 4)})});
    case 2:
      return set({any_int(), b_.make(Op::load, kI32, {element(my_out_, small(integer(), kScratch), 4)})});
    default:
      if (options_.narrow_memory && r_.chance(50)) {
        bool byte = r_.chance(50);
        ValueId at = element(my_out_, small(integer(), kScratch), byte ? 1 : 2);
        ValueId v = b_.make(Op::load, byte ? kI8 : kI16, {at});
        return set({any_int(), unary({r_.pick({Op::sext, Op::zext}), kI32, v})});
      }
      return set({any_int(), b_.make(Op::load, kI32,
                                     {element(my_in_, b_.i32(static_cast<int32_t>(r_.below(kIn))), 4)})});
  }
}

void Generator::store_statement() {
  if (options_.narrow_memory && r_.chance(30)) {
    bool byte = r_.chance(50);
    ValueId at = element(my_out_, small(integer(), kScratch), byte ? 1 : 2);
    b_.emit(Op::store, {at, b_.make(Op::trunc, byte ? kI8 : kI16, {integer()})});
    return;
  }
  if (!floats_.empty() && r_.chance(20)) {
    b_.emit(Op::store, {element(my_fl_, b_.i32(1), 4), float_value()});
    return;
  }
  ValueId index =
      r_.chance(50) ? b_.i32(static_cast<int32_t>(r_.below(kScratch))) : small(integer(), kScratch);
  b_.emit(Op::store, {element(my_out_, index, 4), integer()});
}

Buffer make_buffer(std::string name, Elem elem, size_t words) {
  return {std::move(name), elem, words * 4, std::vector<uint64_t>((words + 1) / 2)};
}
void put(Buffer& b, size_t word, uint32_t bits) {
  std::memcpy(reinterpret_cast<char*>(b.storage.data()) + word * 4, &bits, 4);
}

}  // namespace

std::unique_ptr<Function> random_function(uint64_t seed, const RandomOptions& options) {
  return Generator(seed, options).make();
}

std::string random_text(uint64_t seed, const RandomOptions& options) {
  return print(*random_function(seed, options));
}

RunData make_data(uint64_t seed) {
  Random r(seed ^ 0xdada);
  RunData d;
  if (general_ids(seed)) {
    d.launch.dims = 2;
    d.launch.local = {r.pick<uint64_t>({4, 5, 8, 16}), r.pick<uint64_t>({1, 2, 3}), 1};
    d.launch.global = {d.launch.local[0] * r.between(1, 2), d.launch.local[1] * r.between(1, 2), 1};
    d.launch.offset = {r.below(5), r.below(5), 0};
  } else {
    uint64_t local = r.pick<uint64_t>({4, 8, 15, 16, 31, 32, 64});
    d.launch.local = {local, 1, 1};
    d.launch.global = {local * r.between(1, local > 32 ? 1 : 3), 1, 1};
  }
  size_t items = d.launch.items();
  d.buffers = {make_buffer("in", Elem::I32, items * kIn), make_buffer("out", Elem::I32, items * kOut),
               make_buffer("fl", Elem::F32, items * kFloats)};
  for (size_t i = 0; i < items * kIn; ++i)
    put(d.buffers[0], i, r.chance(70) ? r.below(32) - 8 : static_cast<uint32_t>(r.bits()));
  for (size_t i = 0; i < items * kOut; ++i) put(d.buffers[1], i, static_cast<uint32_t>(i * 2654435761u));
  for (size_t i = 0; i < items * kFloats; ++i)
    put(d.buffers[2], i,
        std::bit_cast<uint32_t>(static_cast<float>(static_cast<int>(r.below(64)) - 20) * 0.25f));
  d.args = {{.buffer = 0},
            {.buffer = 1},
            {.buffer = 2},
            {.bits = r.below(64)},
            {.bits = r.chance(50) ? r.below(256) : static_cast<uint32_t>(r.bits())},
            {.bits = std::bit_cast<uint32_t>(static_cast<float>(r.below(100)) * 0.5f - 10.0f)}};
  return d;
}

}  // namespace kc::test
