// SPDX-License-Identifier: Apache-2.0
#include "tests/x64/sync_kernels.h"

#include <fmt/format.h>

#include <random>

namespace kc::test {
namespace {

constexpr size_t kCells = 16, kGroup = 72, kGroups = 5;
constexpr uint64_t kLocalAt = 16;  // the address that the local parameter points to

// Lines with consecutive numbers for their definitions.
class Lines {
 public:
  Lines(std::string head, unsigned next) : s_(std::move(head)), next_(next) {}
  template <typename... A>
  std::string def(const char* type, fmt::format_string<A...> text, A&&... args) {
    std::string name = fmt::format("%{}", next_++);
    s_ += fmt::format("  {}: {} = ", name, type) + fmt::format(text, std::forward<A>(args)...) + "\n";
    return name;
  }
  template <typename... A>
  void line(fmt::format_string<A...> text, A&&... args) {
    s_ += fmt::format(text, std::forward<A>(args)...) + "\n";
  }
  const std::string& text() const { return s_; }

 private:
  std::string s_;
  unsigned next_;
};

// The buffer element with the work-item's index.
std::string element(Lines& l, std::string_view mask, int buffer, const std::string& index, Elem elem) {
  std::string p = l.def("lane<ptr<global>>", "ptr_add %{}, {}, scale={}", buffer, index, Type{elem}.bytes());
  std::string type = fmt::format("lane<{}>", to_string(Type{elem}));
  return l.def(type.c_str(), "lane_load {}, {}", mask, p);
}

}  // namespace

std::vector<AtomicCase> atomic_cases() {
  std::vector<AtomicCase> all;
  for (size_t i = 0; i < kOpCount; ++i) {
    Op op = static_cast<Op>(i);
    // Those of waves of one lane are tested as programs.
    if (!(info(op).dialects & InWave) || !info(op).has(Atomic) || info(op).has(NeedsNonEmpty)) continue;
    for (Elem elem : {Elem::I32, Elem::I64})
      for (unsigned way = 0; way < 16; ++way)
        all.push_back({op, elem, (way & 1) != 0, (way & 2) != 0, (way & 4) != 0, (way & 8) != 0});
  }
  return all;
}

std::string describe(const AtomicCase& c) {
  return fmt::format("{} {}{}{}{}{}", name_of(c.op), to_string(Type{c.elem}), c.local ? " local" : " global",
                     c.shared ? " shared" : "", c.constant ? " constant" : "", c.keep ? " keep" : "");
}

// Buffers: cells, values, second values, indices, results; then the local block.
std::string atomic_kernel(const AtomicCase& c, unsigned width) {
  unsigned bytes = Type{c.elem}.bytes();
  std::string elem = to_string(Type{c.elem}), lane = fmt::format("lane<{}>", elem);
  Lines l(fmt::format("wave func @a(%0: ptr<global>, %1: ptr<global>, %2: ptr<global>, %3: ptr<global>, "
                      "%4: ptr<global>, %5: ptr<local>, %6: mask hidden) kernel width={} {{\n"
                      "  site 0: barrier \"\" !3:1\n"
                      "b0 mask %6:\n",
                      width),
          7);
  std::string id = l.def("lane<i32>", "global_id dim=0");
  std::string value = element(l, "%6", 1, id, c.elem), second = element(l, "%6", 2, id, c.elem);
  std::string index = element(l, "%6", 3, id, Elem::I32);
  std::string some = l.def("lane<i1>", "sle 0:i32, {}", index);
  std::string mask = l.def("mask", "mask_cond %6, {}", some);
  std::string base = "%0", mine, cell, first;
  const char* space = c.local ? "ptr<local>" : "ptr<global>";
  std::string pointers = fmt::format("lane<{}>", space);
  if (c.local) {
    // Each group has its own cells in memory, and a working copy.
    std::string lid = l.def("lane<i32>", "local_id dim=0");
    std::string group = l.def("i32", "group_id dim=0");
    std::string at = l.def("i32", "mul {}, {}:i32", group, kCells);
    std::string sum = l.def("lane<i32>", "add {}, {}", lid, at);
    std::string few = l.def("lane<i1>", "slt {}, {}:i32", lid, kCells);
    first = l.def("mask", "mask_cond %6, {}", few);
    mine = l.def("lane<ptr<global>>", "ptr_add %0, {}, scale={}", sum, bytes);
    cell = l.def("lane<ptr<local>>", "ptr_add %5, {}, scale={}", lid, bytes);
    std::string old = l.def(lane.c_str(), "lane_load {}, {}", first, mine);
    l.line("  lane_store {}, {}, {}", first, cell, old);
    l.line("  lane_barrier %6, flags=1, site=0");
    base = "%5";
  }
  std::string pointer;
  if (c.shared) {
    std::string one = l.def(space, "ptr_add {}, 3:i32, scale={}", base, bytes);
    pointer = l.def(pointers.c_str(), "splat {}", one);
  } else {
    pointer = l.def(pointers.c_str(), "ptr_add {}, {}, scale={}", base, index, bytes);
  }
  if (c.constant) value = fmt::format("5:{}", lane);
  std::string both = c.op == Op::lane_atomic_cmpxchg ? value + ", " + second : value;
  std::string old = l.def(lane.c_str(), "{} {}, {}, {}", name_of(c.op), mask, pointer, both);
  if (c.keep) {
    std::string p = l.def("lane<ptr<global>>", "ptr_add %4, {}, scale={}", id, bytes);
    l.line("  lane_store {}, {}, {}", mask, p, old);
  }
  if (c.local) {
    l.line("  lane_barrier %6, flags=1, site=0");
    std::string after = l.def(lane.c_str(), "lane_load {}, {}", first, cell);
    l.line("  lane_store {}, {}, {}", first, mine, after);
  }
  return l.text() + "  ret\n}\n";
}

Launch atomic_launch(const AtomicCase& c) {
  std::mt19937_64 random(static_cast<uint64_t>(c.op) + 100 * static_cast<uint64_t>(c.elem));
  constexpr size_t items = kGroup * kGroups;
  auto number = [&] {
    uint64_t kind = random() % 4;
    return kind == 0 ? random() : kind == 1 ? uint64_t{5} : random() % 5 - 2;
  };
  auto buffer = [&](size_t n) {
    std::vector<uint64_t> v(n);
    for (uint64_t& x : v) x = number();
    if (c.elem == Elem::I64) return bytes_of(v);
    return bytes_of(std::vector<uint32_t>(v.begin(), v.end()));
  };
  std::vector<int32_t> index(items);
  for (size_t i = 0; i < items; ++i)
    index[i] = i >= 144 && i < 216 ? -1 : static_cast<int32_t>(random() % (kCells + 6)) - 6;
  Launch l{{items, 1, 1},
           {kGroup, 1, 1},
           {buffer(kCells * kGroups), buffer(items), buffer(items), bytes_of(index),
            Bytes(items * Type{c.elem}.bytes(), 0xee)},
           {kLocalAt}};
  l.local_bytes = static_cast<uint32_t>(kLocalAt + kCells * 8);
  return l;
}

// Buffers: in, out; then the local block, with one word for each work-item.
std::string rotate_kernel(unsigned width) {
  return fmt::format(
      R"(wave func @rotate(%0: ptr<global>, %1: ptr<global>, %2: ptr<local>, %3: mask hidden) kernel width={} {{
  site 0: barrier "" !3:1
  site 1: barrier "" !5:1
b0 mask %3:
  %4: lane<i32> = global_id dim=0
  %5: lane<i32> = local_id dim=0
  %6: i32 = local_size dim=0
  %7: lane<ptr<global>> = ptr_add %0, %4, scale=4
  %8: lane<i32> = lane_load %3, %7
  %9: lane<ptr<local>> = ptr_add %2, %5, scale=4
  %10: lane<i32> = add %5, 3:i32
  %11: lane<i32> = urem %10, %6
  %12: lane<ptr<local>> = ptr_add %2, %11, scale=4
  br -> b1(%8, 0:i32)
b1(%13: lane<i32>, %14: i32) mask %3:
  lane_store %3, %9, %13
  lane_barrier %3, flags=1, site=0
  %15: lane<i32> = lane_load %3, %12
  %16: lane<i32> = mul %13, 3:i32
  %17: lane<i32> = add %16, %15
  lane_barrier %3, flags=1, site=1
  %18: i32 = add %14, 1:i32
  %19: i1 = slt %18, 3:i32
  br_if %19 -> b1(%17, %18), b2(%17)
b2(%20: lane<i32>) mask %3:
  %21: lane<ptr<global>> = ptr_add %1, %4, scale=4
  lane_store %3, %21, %20
  ret
}}
)",
      width);
}

Launch rotate_launch(uint64_t local) {
  std::vector<uint32_t> in(local * 5);
  for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<uint32_t>(i * 2654435761u);
  Launch l{{in.size(), 1, 1}, {local, 1, 1}, {bytes_of(in), Bytes(in.size() * 4)}, {kLocalAt}};
  l.local_bytes = static_cast<uint32_t>(kLocalAt + local * 4);
  return l;
}

}  // namespace kc::test
