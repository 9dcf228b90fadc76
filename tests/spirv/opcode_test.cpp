// SPDX-License-Identifier: Apache-2.0
// Walks opcode x type. Each pair is either rejected by the backend's table, or emitted, valid, and equal to
// the opcode's evaluation function bit for bit on the device, on edge cases and random operands.
#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <random>

#include "ir/verify.h"
#include "tests/spirv/device.h"

using namespace kc;
using namespace kc::test;

namespace {

constexpr size_t kItems = 1024;

std::vector<Elem> elems_of(TypeSet set) {
  std::vector<Elem> elems;
  for (unsigned e = 0; e < static_cast<unsigned>(Elem::Count_); ++e)
    if (set & (1u << e)) elems.push_back(static_cast<Elem>(e));
  return elems.empty() ? std::vector<Elem>{Elem::Void} : elems;
}

Elem elem_of(const SigItem& item, Elem t, Elem u) {
  if (item.type_t) return t;
  if (item.type_u) return u;
  return item.types.front().elem;
}

struct Case {
  Op op;
  std::vector<Elem> operands;
  Elem result = Elem::Void;
  std::unique_ptr<Function> f;
};

// out[i] = op(in0[i], in1[i], ...); i1 is stored as a byte.
std::unique_ptr<Function> kernel_for(const Case& c) {
  auto f = std::make_unique<Function>();
  f->name = "op";
  Builder b(*f);
  b.block = f->add_block();
  std::vector<ValueId> pointers;
  for (size_t i = 0; i <= c.operands.size(); ++i) {
    pointers.push_back(f->add_param(b.block, kPtrGlobal));
    f->params.push_back({.name = "p" + std::to_string(i)});
  }
  ValueId id = b.make(Op::global_id, kI64, {}, {0});
  std::vector<ValueId> operands;
  for (size_t i = 0; i < c.operands.size(); ++i) {
    Type type{c.operands[i]};
    ValueId at = b.make(Op::ptr_add, kPtrGlobal, {pointers[i], id}, {type.bytes(), 0});
    ValueId v = b.make(Op::load, type == kI1 ? kI8 : type, {at}, {0});
    operands.push_back(type == kI1 ? b.make(Op::trunc, kI1, {v}) : v);
  }
  Type type{c.result};
  ValueId v = b.make(c.op, type, operands);
  if (type == kI1) v = b.make(Op::zext, kI8, {v});
  ValueId at = b.make(Op::ptr_add, kPtrGlobal, {pointers.back(), id}, {type.bytes(), 0});
  b.emit(Op::store, {at, v}, {}, {0});
  b.ret();
  return f;
}

// Every instance of the opcode that the verifier accepts.
std::vector<Case> cases_of(Op op) {
  std::vector<Case> cases;
  const OpInfo& row = info(op);
  const SigShape& shape = signature_of(op);
  for (Elem t : elems_of(row.T))
    for (Elem u : elems_of(row.U)) {
      Case c{.op = op};
      for (const SigItem& item : shape.operands) c.operands.push_back(elem_of(item, t, u));
      c.result = elem_of(shape.results[0], t, u);
      bool masks = c.result == Elem::Mask;
      if (masks) continue;  // wave dialect only
      c.f = kernel_for(c);
      if (verify(*c.f).empty()) cases.push_back(std::move(c));
    }
  return cases;
}

std::vector<uint64_t> edges(Elem e) {
  auto float_edges = [](auto one, auto as_bits) {
    using F = decltype(one);
    using L = std::numeric_limits<F>;
    std::vector<uint64_t> r;
    for (F x : {F(0),
                one,
                F(0.5),
                F(1.5),
                F(2.5),
                F(0.49999997),
                F(3.7),
                L::min(),
                L::max(),
                L::denorm_min(),
                L::min() / 2,
                L::infinity(),
                L::quiet_NaN(),
                L::epsilon(),
                1 + L::epsilon(),
                1 - L::epsilon(),
                F(127.5),
                F(128),
                F(255.9),
                F(256),
                F(32768),
                F(65535.5),
                F(2147483648.0),
                F(4294967296.0),
                F(9223372036854775808.0),
                F(18446744073709551616.0),
                F(8388609),
                F(1e10)})
      for (F s : {x, -x}) r.push_back(as_bits(s));
    return r;
  };
  switch (e) {
    case Elem::F32:
      return float_edges(1.0f, [](float x) { return uint64_t{std::bit_cast<uint32_t>(x)}; });
    case Elem::F64:
      return float_edges(1.0, [](double x) { return std::bit_cast<uint64_t>(x); });
    default: {
      unsigned bits = Type{e}.bits();
      uint64_t mask = ~uint64_t{0} >> (64 - bits), top = uint64_t{1} << (bits - 1);
      std::vector<uint64_t> r;
      for (uint64_t x :
           {uint64_t{0}, uint64_t{1}, uint64_t{2}, uint64_t{3}, uint64_t{bits}, uint64_t{bits} - 1, mask,
            mask - 1, top, top - 1, top + 1, mask / 3, uint64_t{16777217}, uint64_t{33554435},
            uint64_t{9007199254740993}, uint64_t{0x8000008000000001}, uint64_t{0x7fffffbfffffffff}})
        r.push_back(x & mask);
      return r;
    }
  }
}

// Half edge cases, half random bits; random floats have nearby exponents.
uint64_t draw(Elem e, const std::vector<uint64_t>& edge, std::mt19937_64& random) {
  uint64_t bits = random();
  if (random() % 2) return edge[bits % edge.size()];
  if (e == Elem::F32 && random() % 4)
    return std::bit_cast<uint32_t>(std::ldexp(1.0f + static_cast<float>(bits % 16777216) / 16777216.0f,
                                              static_cast<int>(random() % 61) - 30) *
                                   (random() % 2 ? 1.0f : -1.0f));
  if (e == Elem::F64 && random() % 4)
    return std::bit_cast<uint64_t>(
        std::ldexp(1.0 + static_cast<double>(bits >> 11) * 0x1p-53, static_cast<int>(random() % 121) - 60) *
        (random() % 2 ? 1.0 : -1.0));
  return bits & (~uint64_t{0} >> (64 - Type{e}.bits()));
}

bool same(Elem e, uint64_t a, uint64_t b) {
  if (e == Elem::F32 && std::isnan(std::bit_cast<float>(static_cast<uint32_t>(a))))
    return std::isnan(std::bit_cast<float>(static_cast<uint32_t>(b)));
  if (e == Elem::F64 && std::isnan(std::bit_cast<double>(a))) return std::isnan(std::bit_cast<double>(b));
  return a == b;
}

std::string describe(const Case& c) {
  std::string s(name_of(c.op));
  for (Elem e : c.operands) s += " " + to_string(Type{e});
  return s + " -> " + to_string(Type{c.result});
}

using Inputs = std::vector<std::vector<uint64_t>>;  // by operand, by item

Inputs draw_inputs(const Case& c) {
  std::mt19937_64 random(static_cast<uint64_t>(c.op) * 1000 + static_cast<uint64_t>(c.operands[0]) * 100 +
                         static_cast<uint64_t>(c.result));
  Inputs inputs;
  for (Elem e : c.operands) {
    auto edge = edges(e);
    auto& values = inputs.emplace_back();
    for (size_t i = 0; i < kItems; ++i) values.push_back(draw(e, edge, random));
  }
  return inputs;
}

// Addends that nearly cancel the product, or lie any distance from it; results include subnormals.
template <typename F, typename I>
Inputs draw_fma_inputs(uint64_t seed) {
  using L = std::numeric_limits<F>;
  std::mt19937_64 random(seed);
  auto number = [&](int exponent) {
    F x = 1 + static_cast<F>(random() >> 12) * static_cast<F>(0x1p-52);
    return std::ldexp(random() % 2 ? x : -x, exponent);
  };
  Inputs inputs(3, std::vector<uint64_t>(kItems));
  for (size_t i = 0; i < kItems; ++i) {
    int around = i % 3 == 0   ? L::min_exponent - static_cast<int>(random() % (L::digits + 5))
                 : i % 3 == 1 ? L::max_exponent - static_cast<int>(random() % 3)
                              : static_cast<int>(random() % 20);
    int split = static_cast<int>(random() % 30);
    F a = number(around / 2 + split), b = number(around - around / 2 - split), c = -(a * b);
    if (random() % 2) c = std::nextafter(c, random() % 2 ? L::infinity() : -L::infinity());
    if (random() % 2) c = std::ldexp(number(0), around + static_cast<int>(random() % 260) - 130);
    if (random() % 8 == 0) c = L::denorm_min();
    inputs[0][i] = std::bit_cast<I>(a), inputs[1][i] = std::bit_cast<I>(b),
    inputs[2][i] = std::bit_cast<I>(c);
  }
  return inputs;
}

void compare(VulkanDevice& device, const Case& c, const VulkanImage& image, const Inputs& inputs) {
  Run run;
  for (size_t k = 0; k < inputs.size(); ++k) {
    unsigned size = Type{c.operands[k]}.bytes();
    auto& bytes = run.buffers.emplace_back(kItems * size);
    for (size_t i = 0; i < kItems; ++i) std::memcpy(&bytes[i * size], &inputs[k][i], size);
  }
  unsigned size = Type{c.result}.bytes();
  run.buffers.emplace_back(kItems * size);
  run.global = {kItems, 1, 1};
  launch(device, image, run);
  EvalFn eval = info(c.op).eval(c.operands[c.op == Op::select ? 1 : 0], c.result);
  REQUIRE(eval != nullptr);
  size_t wrong = 0;
  for (size_t i = 0; i < kItems; ++i) {
    uint64_t operands[3] = {}, got = 0;
    std::string text;
    for (size_t k = 0; k < inputs.size(); ++k) {
      operands[k] = inputs[k][i];
      text += fmt::format(" {:#x}", operands[k]);
    }
    std::memcpy(&got, &run.buffers.back()[i * size], size);
    uint64_t want = eval(operands);
    if (same(c.result, want, got) || ++wrong > 3) continue;
    FAIL_CHECK(describe(c) << " of" << text << fmt::format(": {:#x}, not {:#x}", got, want));
  }
  if (wrong) FAIL_CHECK(describe(c) << ": " << wrong << " of " << kItems << " are wrong");
}

}  // namespace

TEST_CASE("every opcode at every type is lowered or refused") {
  auto device = open_device(false);
  SpirvOptions options = device ? spirv_options(device->info(), {1, 1, 1}) : SpirvOptions{};
  options.local_size = {64, 1, 1};
  size_t lowered = 0, refused = 0;
  for (unsigned n = 0; n < kOpCount; ++n) {
    Op op = static_cast<Op>(n);
    if (!(info(op).dialects & InThread) || info(op).eval == nullptr) continue;
    auto cases = cases_of(op);
    INFO(name_of(op));
    CHECK(!cases.empty());
    for (const Case& c : cases) {
      INFO(describe(c));
      bool says_no = !spirv::unsupported(op).empty();
      REQUIRE(says_no == !check_spirv(*c.f).empty());
      ++(says_no ? refused : lowered);
      if (says_no) continue;
      VulkanImage image = emit_valid(*c.f, options);
      // Atomics would use random addresses.
      if (device && !(info(op).flags & Atomic)) compare(*device, c, image, draw_inputs(c));
    }
  }
  CHECK(lowered > 200);
  WARN(lowered << " lowered, " << refused << " refused");
}

TEST_CASE("memory at every type, and what is refused") {
  SpirvOptions options;
  for (Elem e : elems_of(Stored)) {
    Case copy{.op = Op::bitcast, .operands = {e}, .result = e};
    copy.f = kernel_for(copy);
    INFO(to_string(Type{e}));
    REQUIRE(verify(*copy.f).empty());
    emit_valid(*copy.f, options);
  }
  CHECK(!spirv::unsupported(Op::var_get).empty());
  CHECK(!spirv::unsupported(Op::trap).empty());
}

TEST_CASE("fused multiply-add rounds once, everywhere in the range") {
  auto device = open_device(false);
  if (!device) return;
  SpirvOptions options = spirv_options(device->info(), {1, 1, 1});
  options.local_size = {64, 1, 1};
  for (const Case& c : cases_of(Op::ffma)) {
    VulkanImage image = emit_valid(*c.f, options);
    for (uint64_t seed = 0; seed < 8; ++seed)
      compare(*device, c, image,
              c.result == Elem::F32 ? draw_fma_inputs<float, uint32_t>(seed)
                                    : draw_fma_inputs<double, uint64_t>(seed));
  }
}
