// SPDX-License-Identifier: Apache-2.0
#include "tests/x64/kernels.h"

#include <fmt/format.h>

namespace kc::test {

// A kernel out[i] = op(a[i], b[i], c[i]); i1 is stored as a byte.
std::string kernel(Op op, const std::vector<Elem>& args, Elem result, unsigned width, bool lanes) {
  std::string s = "wave func @k(";
  unsigned n = 0;
  for (; n <= args.size(); ++n) s += fmt::format("%{}: ptr<global>, ", n);
  unsigned mask = n++;
  s += fmt::format("%{}: mask hidden) kernel width={} {{\nb0 mask %{}:\n", mask, width, mask);
  unsigned id = n++;
  s += fmt::format("  %{}: {} = {} dim=0\n", id, lanes ? "lane<i64>" : "i64",
                   lanes ? "global_id" : "group_id");
  auto wrap = [&](std::string t) { return lanes ? "lane<" + t + ">" : t; };
  auto name = [&](Elem e) { return wrap(to_string(Type{e})); };
  std::vector<unsigned> values;
  for (unsigned k = 0; k < args.size(); ++k) {
    Elem stored = args[k] == Elem::I1 ? Elem::I8 : args[k];
    unsigned p = n++, v = n++;
    s += fmt::format("  %{}: {} = ptr_add %{}, %{}, scale={}\n", p, wrap("ptr<global>"), k, id,
                     Type{stored}.bytes());
    s += lanes ? fmt::format("  %{}: {} = lane_load %{}, %{}\n", v, name(stored), mask, p)
               : fmt::format("  %{}: {} = uniform_load %{}\n", v, name(stored), p);
    if (args[k] == Elem::I1) s += fmt::format("  %{}: {} = trunc %{}\n", n, wrap("i1"), v), v = n++;
    values.push_back(v);
  }
  unsigned r = n++;
  s += fmt::format("  %{}: {} = {} ", r, name(result), name_of(op));
  for (size_t k = 0; k < values.size(); ++k) s += fmt::format("{}%{}", k ? ", " : "", values[k]);
  s += "\n";
  Elem stored = result;
  if (result == Elem::I1) {
    s += fmt::format("  %{}: {} = zext %{}\n", n, wrap("i8"), r), r = n++;
    stored = Elem::I8;
  }
  if (!lanes) s += fmt::format("  %{}: lane<{}> = splat %{}\n", n, to_string(Type{stored}), r), r = n++;
  if (!lanes) s += fmt::format("  %{}: lane<i64> = global_id dim=0\n", n), id = n++;
  s += fmt::format("  %{}: lane<ptr<global>> = ptr_add %{}, %{}, scale={}\n", n, args.size(), id,
                   Type{stored}.bytes());
  return s + fmt::format("  lane_store %{}, %{}, %{}\n  ret\n}}\n", mask, n, r);
}

static std::vector<Elem> members(TypeSet set) {
  std::vector<Elem> v;
  for (Elem e : {Elem::I1, Elem::I8, Elem::I16, Elem::I32, Elem::I64, Elem::F32, Elem::F64})
    if (set & set_of(e)) v.push_back(e);
  return v;
}

// All typings of the elementwise rows, from the table itself.
std::vector<Case> cases() {
  std::vector<Case> all;
  for (size_t i = 0; i < kOpCount; ++i) {
    Op op = static_cast<Op>(i);
    const OpInfo& row = info(op);
    if (!(row.dialects & InWave) || !row.has(Elementwise) || op == Op::ptr_add) continue;
    for (Elem t : members(row.T)) {
      std::string_view s = row.signature;
      if (s == "T -> U") {
        for (Elem u : members(row.U)) {
          unsigned from = Type{t}.bits(), to = Type{u}.bits();
          if ((row.relation == Relation::Widens && to <= from) ||
              (row.relation == Relation::Narrows && to >= from) ||
              (row.relation == Relation::SameBits && to != from))
            continue;
          all.push_back({op, {t}, u});
        }
      } else if (s == "T -> T") {
        all.push_back({op, {t}, t});
      } else if (s == "T T -> T") {
        all.push_back({op, {t, t}, t});
      } else if (s == "T T T -> T") {
        all.push_back({op, {t, t, t}, t});
      } else if (s == "T T -> i1") {
        all.push_back({op, {t, t}, Elem::I1});
      } else if (s == "i1 T T -> T") {
        all.push_back({op, {Elem::I1, t, t}, t});
      }
    }
  }
  return all;
}

// Iterations of n -> n/2 or 3n+1 until 1, one loop for all lanes of the wave.
std::string collatz(unsigned width) {
  return fmt::format(
      R"(wave func @collatz(%0: ptr<global>, %1: ptr<global>, %2: mask hidden) kernel width={} {{
b0 mask %2:
  %3: lane<i32> = global_id dim=0
  %4: lane<ptr<global>> = ptr_add %0, %3, scale=4
  %5: lane<i32> = lane_load %2, %4
  %6: lane<i32> = splat 0:i32
  br -> b1(%2, %5, %6)
b1(%7: mask, %8: lane<i32>, %9: lane<i32>) mask %7:
  %10: lane<i1> = ne %8, 1:i32
  %11: mask = mask_cond %7, %10
  %12: i1 = any %11
  br_if %12 -> b2, b3
b2 mask %11:
  %13: lane<i32> = and %8, 1:i32
  %14: lane<i1> = ne %13, 0:i32
  %15: lane<i32> = mul %8, 3:i32
  %16: lane<i32> = add %15, 1:i32
  %17: lane<i32> = lshr %8, 1:i32
  %18: lane<i32> = select %14, %16, %17
  %19: lane<i32> = add %9, 1:i32
  %20: lane<i32> = blend %11, %18, %8
  %21: lane<i32> = blend %11, %19, %9
  br -> b1(%11, %20, %21)
b3 mask %2:
  %22: lane<ptr<global>> = ptr_add %1, %3, scale=4
  lane_store %2, %22, %9
  ret
}}
)",
      width);
}

// out[i * 3 + 1] = table[index[i]]: a gather, a byte gather and a scatter with a tail.
std::string indirect(unsigned width, const std::string& elem, unsigned bytes, bool wide_index) {
  return fmt::format(
      R"(wave func @indirect(%0: ptr<global>, %1: ptr<global>, %2: ptr<global>, %3: mask hidden) kernel width={0} {{
b0 mask %3:
  %4: lane<i64> = global_id dim=0
  %5: lane<ptr<global>> = ptr_add %0, %4, scale=4
  %6: lane<i32> = lane_load %3, %5
  %7: lane<i64> = {3} %6
  %8: lane<ptr<global>> = ptr_add %1, %7, scale={2}
  %9: lane<{1}> = lane_load %3, %8
  %10: lane<i64> = mul %4, 11:i64
  %11: lane<ptr<global>> = ptr_add %2, %10, scale={2}, offset={2}
  lane_store %3, %11, %9
  ret
}}
)",
      width, elem, bytes, wide_index ? "zext" : "sext");
}

std::string neighbours(unsigned width) {
  return fmt::format(
      R"(wave func @neighbours(%0: ptr<global>, %1: ptr<global>, %2: i32, %3: i32, %4: mask hidden) kernel width={} {{
b0 mask %4:
  %5: lane<i32> = global_id dim=0
  %6: lane<i32> = and %5, %3
  %7: lane<i1> = eq %6, %3
  %8: mask = mask_cond %4, %7
  %9: i1 = any %8
  br_if %9 -> b1, b2
b1 mask %8:
  %10: i32 = xor %2, -1:i32
  %11: lane<i32> = and %5, %10
  %12: lane<ptr<global>> = ptr_add %0, %11, scale=4
  %13: lane<i32> = lane_load %8, %12
  %14: lane<i32> = xor %5, %2
  %15: lane<ptr<global>> = ptr_add %1, %14, scale=4
  lane_store %8, %15, %13
  br -> b2
b2 mask %4:
  ret
}}
)",
      width);
}

std::string uniform_steps(unsigned width) {
  return fmt::format(
      R"(wave func @uniform_steps(%0: ptr<global>, %1: ptr<global>, %2: i32, %3: mask hidden) kernel width={} {{
b0 mask %3:
  %4: lane<i32> = global_id dim=0
  %5: lane<ptr<global>> = ptr_add %0, %4, scale=4
  %6: lane<i32> = lane_load %3, %5
  br -> b1(%3, %6, 0:i32)
b1(%7: mask, %8: lane<i32>, %9: i32) mask %7:
  %10: i1 = slt %9, 7:i32
  br_if %10 -> b2, b3
b2 mask %7:
  %11: lane<i1> = slt %8, %2
  %12: mask = mask_cond %7, %11
  %13: mask = mask_andnot %7, %12
  %14: lane<i32> = add %8, %8
  %15: lane<i32> = add %14, %9
  %16: lane<i32> = blend %13, %15, %8
  %17: i32 = add %9, 1:i32
  br -> b1(%13, %16, %17)
b3 mask %3:
  %18: lane<ptr<global>> = ptr_add %1, %4, scale=4
  lane_store %3, %18, %8
  ret
}})",
      width);
}

std::string mandelbrot(unsigned width) {
  return fmt::format(
      R"(wave func @mandelbrot(%0: ptr<global>, %1: f32, %2: f32, %3: f32, %4: f32, %5: i32, %6: i32, %7: mask hidden) kernel width={} {{
b0 mask %7:
  %8: lane<i32> = global_id dim=0
  %9: i32 = global_id dim=1
  %10: lane<f32> = sitofp %8
  %11: lane<f32> = ffma %10, %3, %1
  %12: f32 = sitofp %9
  %13: f32 = ffma %12, %4, %2
  %14: lane<f32> = splat 0x0p+0:f32
  %15: lane<i32> = splat 0:i32
  br -> b1(%7, %14, %14, %15, 0:i32)
b1(%16: mask, %17: lane<f32>, %18: lane<f32>, %19: lane<i32>, %20: i32) mask %16:
  %21: lane<f32> = fmul %18, %18
  %22: lane<f32> = ffma %17, %17, %21
  %23: lane<i1> = fle %22, 0x1p+2:f32
  %24: mask = mask_cond %16, %23
  %25: i1 = any %24
  br_if %25 -> b2, b3
b2 mask %24:
  %26: lane<f32> = fneg %21
  %27: lane<f32> = ffma %17, %17, %26
  %28: lane<f32> = fadd %27, %11
  %29: lane<f32> = fadd %17, %17
  %30: lane<f32> = ffma %29, %18, %13
  %31: lane<i32> = add %19, 1:i32
  %32: lane<i32> = blend %24, %31, %19
  %33: i32 = add %20, 1:i32
  %34: i1 = slt %33, %5
  br_if %34 -> b1(%24, %28, %30, %32, %33), b4(%32)
b3:
  br -> b4(%19)
b4(%35: lane<i32>) mask %7:
  %36: i32 = mul %9, %6
  %37: lane<i32> = add %36, %8
  %38: lane<ptr<global>> = ptr_add %0, %37, scale=4
  lane_store %7, %38, %35
  ret
}}
)",
      width);
}

std::vector<std::string> all_kernels() {
  std::vector<std::string> all;
  for (unsigned width : {8u, 16u, 64u}) {
    all.push_back(collatz(width));
    all.push_back(mandelbrot(width));
    all.push_back(neighbours(width));
    all.push_back(uniform_steps(width));
    for (auto [elem, bytes] : {std::pair{"i8", 1u}, {"i16", 2u}, {"f32", 4u}, {"i64", 8u}}) {
      all.push_back(indirect(width, elem, bytes, false));
      all.push_back(indirect(width, elem, bytes, true));
    }
  }
  for (const Case& c : cases())
    for (bool lanes : {false, true}) all.push_back(kernel(c.op, c.args, c.result, 16, lanes));
  return all;
}

}  // namespace kc::test
