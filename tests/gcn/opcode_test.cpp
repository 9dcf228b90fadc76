// SPDX-License-Identifier: Apache-2.0
// Walks elementwise opcode x type x shape: lane values, uniform values, constants, and mixtures. Combinations
// that the backend's table rejects must not compile; all others must give the bits of the opcode's evaluation
// function, which the thread interpreter uses, for all pairs of edge cases and for random operands.
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "backends/gcn/selector.h"
#include "tests/gcn/cases.h"
#include "tests/gcn/support.h"

using namespace kc;
using namespace kc::test;

namespace {

constexpr size_t kGroup = 16, kItems = 48 * kGroup;

enum Shape : uint8_t { Lane, Uniform, Small, Large, ShapeCount };  // the last two are constants

struct Kernel {
  std::unique_ptr<Function> f;
  std::vector<std::vector<Shape>> rows;  // shapes of the operands, by row of results
};

using Inputs = std::vector<std::vector<uint64_t>>;  // by operand, by item

// All pairs of edges first, then edges and random bits.
Inputs draw_inputs(const Case& c) {
  std::mt19937_64 random(static_cast<uint64_t>(c.op) * 1000 + static_cast<uint64_t>(c.operands[0]) * 100 +
                         static_cast<uint64_t>(c.result));
  Inputs inputs;
  size_t pairs = 1;
  for (Elem e : c.operands) {
    auto edge = edges(e);
    auto& values = inputs.emplace_back();
    size_t stride = pairs;
    pairs *= edge.size();
    for (size_t i = 0; i < kItems; ++i)
      values.push_back(i < pairs && stride < kItems ? edge[i / stride % edge.size()] : draw(e, edge, random));
  }
  return inputs;
}

// A constant that the machine has as an inline constant, and one that it lacks.
uint64_t constant(Elem e, Shape shape) {
  bool small = shape == Small;
  switch (e) {
    case Elem::F32:
      return small ? 0x3f800000 : 0xc0490fdb;
    case Elem::F64:
      return small ? 0x3ff0000000000000 : 0xc00921fb54442d18;
    default:
      return (small ? 3 : 0xfedcba9876543211) & (~uint64_t{0} >> (64 - Type{e}.bits()));
  }
}

uint64_t operand_at(const Inputs& inputs, const Case& c, Shape shape, size_t k, size_t item) {
  if (shape == Lane) return inputs[k][item];
  if (shape == Uniform) return inputs[k][item / kGroup * kGroup];
  return constant(c.operands[k], shape);
}

// Row r stores op with the operand shapes given by the digits of r in base ShapeCount.
Kernel kernel_for(const Case& c, const std::string& name) {
  WaveKernel k(c.operands.size() + 1, name);
  std::vector<std::array<ValueId, ShapeCount>> values(c.operands.size());
  for (size_t i = 0; i < c.operands.size(); ++i) {
    values[i][Lane] = k.load(i, c.operands[i]), values[i][Uniform] = k.load_uniform(i, c.operands[i]);
    for (Shape s : {Small, Large})
      values[i][s] = k.f->constant(Type{c.operands[i]}, constant(c.operands[i], s));
  }
  Kernel made;
  size_t rows = size_t{1} << (2 * c.operands.size());
  static_assert(ShapeCount == 4);
  for (size_t r = 0; r < rows; ++r) {
    std::vector<Shape> shapes;
    std::vector<ValueId> operands;
    bool lanes = false;
    for (size_t i = 0, rest = r; i < c.operands.size(); ++i, rest /= ShapeCount) {
      shapes.push_back(static_cast<Shape>(rest % ShapeCount));
      operands.push_back(values[i][shapes.back()]);
      lanes |= shapes.back() == Lane;
    }
    Type type{c.result};
    k.store(k.b.make(c.op, lanes ? type.lanes() : type, operands), r, kItems);
    made.rows.push_back(std::move(shapes));
  }
  k.b.ret();
  made.f = std::move(k.f);
  return made;
}

void compare(const Case& c, const Kernel& kernel, const std::string& assembly, const Inputs& inputs,
             uint64_t estimate_seed) {
  std::vector<Bytes> buffers;
  for (size_t k = 0; k < inputs.size(); ++k) {
    unsigned size = Type{c.operands[k]}.bytes();
    buffers.emplace_back(kItems * size);
    for (size_t i = 0; i < kItems; ++i) std::memcpy(&buffers.back()[i * size], &inputs[k][i], size);
  }
  unsigned size = Type{c.result}.bytes();
  buffers.emplace_back(kItems * size * kernel.rows.size());
  std::vector<uint64_t> bits;
  std::vector<MemoryRange> memory;
  for (Bytes& b : buffers) {
    bits.push_back(reinterpret_cast<uint64_t>(b.data()));
    memory.push_back({bits.back(), b.size()});
  }
  LaunchSpec launch{.dims = 1, .global = {kItems, 1, 1}, .local = {kGroup, 1, 1}};
  GcnResult ran = run_assembly(*kernel.f, assembly, launch, bits, memory, {.estimate_seed = estimate_seed});
  REQUIRE(ran.message == "");
  EvalFn eval = info(c.op).eval(c.operands[c.op == Op::select ? 1 : 0], c.result);
  size_t wrong = 0;
  for (size_t r = 0; r < kernel.rows.size(); ++r)
    for (size_t i = 0; i < kItems; ++i) {
      uint64_t operands[3] = {}, got = 0;
      std::string text;
      for (size_t k = 0; k < inputs.size(); ++k) {
        operands[k] = operand_at(inputs, c, kernel.rows[r][k], k, i);
        text += fmt::format(" {}{:#x}", "vscc"[kernel.rows[r][k]], operands[k]);
      }
      std::memcpy(&got, &buffers.back()[(r * kItems + i) * size], size);
      uint64_t want = eval(operands);
      if (same(c.result, want, got) || ++wrong > 3) continue;
      FAIL_CHECK(describe(c) << " of" << text << fmt::format(": {:#x}, not {:#x}", got, want));
    }
  if (wrong > 3) FAIL_CHECK(describe(c) << ": " << wrong << " are wrong");
}

// Whether the result must be independent of the accuracy of the machine's estimates. Float division is AMD's
// own sequence, which needs a more accurate estimate for a divisor with an all-ones mantissa than the
// document guarantees.
bool takes_any_estimate(Op op) { return op == Op::fsqrt || class_of(op) == OpClass::IntDivision; }

// A root of r, which is 1 modulo 8, modulo 2^bits.
uint64_t root_modulo_power(uint64_t r, int bits) {
  uint64_t s = 1;
  for (int i = 3; i < bits; ++i)
    if ((s * s - r) >> i & 1) s += uint64_t{1} << (i - 1);
  return s;
}

// Arguments of all magnitudes whose roots lie as close as possible to the midpoint of two numbers, so that an
// inexact root rounds in the wrong direction. The midpoint m has one digit more than fits, so it is odd; the
// argument is m * m - r with a small r that makes it representable.
template <typename F, typename Bits>
void draw_hard_roots(std::vector<uint64_t>& values, uint64_t seed) {
  using L = std::numeric_limits<F>;
  __extension__ using Wide = __int128;
  constexpr int kDropped = L::digits + 2;
  constexpr uint64_t kTop = uint64_t{1} << L::digits;
  std::mt19937_64 random(seed);
  for (uint64_t& v : values) {
    auto r = static_cast<int64_t>(random() % 400) * 8 - 1599;
    uint64_t middle = root_modulo_power(static_cast<uint64_t>(r), kDropped) & (2 * kTop - 1);
    if (middle < kTop) middle = 2 * kTop - middle;
    Wide argument = static_cast<Wide>(middle) * middle - r;
    REQUIRE(argument % (Wide{1} << kDropped) == 0);
    auto digits = static_cast<F>(static_cast<uint64_t>(argument >> kDropped));
    int range = L::max_exponent - L::min_exponent;
    int exponent = L::min_exponent - L::digits + static_cast<int>(random() % static_cast<uint64_t>(range));
    v = std::bit_cast<Bits>(std::ldexp(digits, exponent / 2 * 2 + kDropped % 2));
  }
}

// Numerators next to multiples of divisors of all sizes.
void draw_hard_divisions(Inputs& inputs, unsigned bits, uint64_t seed) {
  std::mt19937_64 random(seed);
  uint64_t mask = ~uint64_t{0} >> (64 - bits);
  for (size_t i = 0; i < kItems; ++i) {
    uint64_t d = (random() & mask) >> (random() % bits);
    if (random() % 2) d = (uint64_t{1} << (random() % bits)) + random() % 5 - 2;
    if (random() % 4 == 0) d = mask - random() % 3;
    d &= mask;
    uint64_t q = d ? random() % (mask / d) : 0;
    inputs[0][i] = (q * d + random() % 3 - 1) & mask, inputs[1][i] = d;
  }
}

// Whether instruction selection has a lowering although the table has none. A missing one ends the process.
bool selection_succeeds(const Function& wave) {
  pid_t child = fork();
  if (child == 0) {
    if (!freopen("/dev/null", "w", stderr)) _exit(1);
    Function out;
    gcn::Selector(wave, out, gcn::kModels[0]).run();
    _exit(verify(out).empty() ? 0 : 1);
  }
  int status = 1;
  REQUIRE(child > 0);
  REQUIRE(waitpid(child, &status, 0) == child);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

TEST_CASE("every elementwise opcode at every type and shape is lowered or refused") {
  size_t lowered = 0, refused = 0;
  std::string all;
  for (unsigned n = 0; n < kOpCount; ++n) {
    Op op = static_cast<Op>(n);
    if (!(info(op).dialects & InWave) || !info(op).eval || !info(op).has(Elementwise)) continue;
    INFO(name_of(op));
    auto cases = cases_of(op);
    CHECK(!cases.empty());
    for (const Case& c : cases) {
      INFO(describe(c));
      Kernel kernel = kernel_for(c, fmt::format("k{}", lowered + refused));
      REQUIRE(render(*kernel.f, verify(*kernel.f)) == "");
      bool says_no = !gcn::unsupported(op, c.operands[0]).empty();
      REQUIRE(says_no == !check_gcn(*kernel.f).empty());
      ++(says_no ? refused : lowered);
      if (says_no) {
        CHECK(!selection_succeeds(*kernel.f));
        continue;
      }
      auto code = compile_gcn(*kernel.f);
      if (!code) FAIL(code.error().message);
      compare(c, kernel, code->assembly, draw_inputs(c), 0);
      all += without_metadata(code->assembly);
    }
  }
  CHECK(lowered > 200);
  WARN(lowered << " lowered, " << refused << " refused");
  // The emulator parses text leniently; the assembler checks the operands of an encoding.
  auto object = assemble_gcn(all);
  if (!object && object.error().absent)
    WARN("skipped the assembler: " << object.error().message);
  else if (!object)
    FAIL(object.error().message);
}

TEST_CASE("square roots and integer divisions that are hard to round, with any quality of estimates") {
  for (unsigned n = 0; n < kOpCount; ++n)
    for (const Case& c :
         takes_any_estimate(static_cast<Op>(n)) ? cases_of(static_cast<Op>(n)) : std::vector<Case>()) {
      Kernel kernel = kernel_for(c, "hard");
      auto code = compile_gcn(*kernel.f);
      REQUIRE(code);
      for (uint64_t seed = 0; seed < 8; ++seed) {
        INFO(describe(c) << ", seed " << seed);
        Inputs inputs = draw_inputs(c);
        if (c.result == Elem::F32)
          draw_hard_roots<float, uint32_t>(inputs[0], seed);
        else if (c.result == Elem::F64)
          draw_hard_roots<double, uint64_t>(inputs[0], seed);
        else
          draw_hard_divisions(inputs, Type{c.result}.bits(), seed);
        compare(c, kernel, code->assembly, inputs, seed);
      }
    }
}
