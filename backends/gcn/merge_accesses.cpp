// SPDX-License-Identifier: Apache-2.0
// Merges adjacent memory accesses. Loads move to the position of the first, stores to that of the last, if
// nothing in between conflicts: accesses to the same memory, changes of exec, of addresses or of data.
//
//   s_load_dword s20, s[6:7], 0x0                s_load_dwordx2 s[20:21], s[6:7], 0x0
//   s_load_dword s21, s[6:7], 0x4          ==>
//   ds_write_b32 v1, v2 offset:16                ds_write2_b32 v1, v2, v9 offset0:4 offset1:5
//   ds_write_b32 v1, v9 offset:20
//
// The registers are those chosen by allocation, guided by contiguity_hints.cpp; accesses whose registers are
// not contiguous stay separate.
#include <algorithm>
#include <array>
#include <span>

#include "backends/gcn/machine.h"

namespace kc::gcn {
namespace {

struct Wider {
  uint32_t words;
  Op op;
};
/// Opcodes for accesses of one to several words, with offsets in bytes.
struct Family {
  std::span<const Wider> rows;
  bool store = false;
  bool scalar = false;
};

constexpr std::array kScalarLoads{Wider{1, Op::gcn_s_load_dword}, Wider{2, Op::gcn_s_load_dwordx2},
                                  Wider{4, Op::gcn_s_load_dwordx4}, Wider{8, Op::gcn_s_load_dwordx8},
                                  Wider{16, Op::gcn_s_load_dwordx16}};
constexpr std::array kGlobalLoads{Wider{1, Op::gcn_global_load_dword}, Wider{2, Op::gcn_global_load_dwordx2},
                                  Wider{3, Op::gcn_global_load_dwordx3},
                                  Wider{4, Op::gcn_global_load_dwordx4}};
constexpr std::array kBaseLoads{
    Wider{1, Op::gcn_global_load_dword_saddr}, Wider{2, Op::gcn_global_load_dwordx2_saddr},
    Wider{3, Op::gcn_global_load_dwordx3_saddr}, Wider{4, Op::gcn_global_load_dwordx4_saddr}};
constexpr std::array kGlobalStores{
    Wider{1, Op::gcn_global_store_dword}, Wider{2, Op::gcn_global_store_dwordx2},
    Wider{3, Op::gcn_global_store_dwordx3}, Wider{4, Op::gcn_global_store_dwordx4}};
constexpr std::array kBaseStores{
    Wider{1, Op::gcn_global_store_dword_saddr}, Wider{2, Op::gcn_global_store_dwordx2_saddr},
    Wider{3, Op::gcn_global_store_dwordx3_saddr}, Wider{4, Op::gcn_global_store_dwordx4_saddr}};
constexpr std::array kFamilies{Family{kScalarLoads, false, true}, Family{kGlobalLoads}, Family{kBaseLoads},
                               Family{kGlobalStores, true}, Family{kBaseStores, true}};

/// Two accesses to local memory at multiples of their size become one with two offsets.
struct Pairing {
  Op one, two;
  uint32_t bytes;
  bool store;
};
constexpr std::array kPairings{
    Pairing{Op::gcn_ds_read_b32, Op::gcn_ds_read2_b32, 4, false},
    Pairing{Op::gcn_ds_read_b64, Op::gcn_ds_read2_b64, 8, false},
    Pairing{Op::gcn_ds_write_b32, Op::gcn_ds_write2_b32, 4, true},
    Pairing{Op::gcn_ds_write_b64, Op::gcn_ds_write2_b64, 8, true},
};
constexpr int64_t kMostOffset = 255;  // in elements
constexpr size_t kFarthest = 48;      // in instructions; search distance for a partner

bool sets_exec(const MachineInst& inst) {
  const MachineInfo& machine = info(inst.op).machine;
  return (machine.defs & Exec) || (machine.extra & (WritesExec | SaveExec)) ||
         touches(inst.results, sreg(kExec, 2));
}

class AccessMerger {
 public:
  AccessMerger(std::vector<MachineInst>& insts, bool even_tuples)
      : insts_(insts), even_tuples_(even_tuples) {}

  void run() {
    bool merged = true;  // two of two words are tried after two of one
    while (merged) {
      merged = false;
      for (size_t i = 0; i < insts_.size(); ++i)
        while (merge_at(i)) merged = true;
    }
    std::erase_if(insts_, [](const MachineInst& i) { return i.op == Op::Count_; });
  }

 private:
  // Whether the access was merged with a later one; a store is then at the later position.
  bool merge_at(size_t i) {
    for (const Pairing& p : kPairings)
      if (insts_[i].op == p.one) return pair_up(i, p);
    for (const Family& f : kFamilies)
      if (const Wider* row = row_of(f, insts_[i].op)) return widen(i, f, row->words);
    return false;
  }

  static const Wider* row_of(const Family& f, Op op) {
    auto row = std::ranges::find(f.rows, op, &Wider::op);
    return row == f.rows.end() ? nullptr : &*row;
  }

  // Calls take(k) for each access after `first` that can be moved to it, until take returns true.
  template <typename Wanted, typename Take>
  bool each_partner(size_t first, bool store, Wanted wanted, Take take) {
    const bool scalar = info(insts_[first].op).machine.form == Smem;
    for (size_t k = first + 1, seen = 0; k < insts_.size() && seen < kFarthest; ++k) {
      const MachineInst& inst = insts_[k];
      if (inst.op == Op::Count_) continue;
      ++seen;
      if (wanted(inst.op) && can_meet(first, k, store) && take(k)) return true;
      if (inst.target.valid() || info(inst.op).effects == Effects::Control) return false;
      if (scalar) continue;
      if (sets_exec(inst)) return false;
      // A store moves across accesses that it does not overlap; a load does not move across stores.
      if (store && lie_apart(insts_[first], inst)) continue;
      const Effects effects = info(inst.op).effects;
      const bool loads_constant = info(inst.op).machine.form == Smem;
      if (store ? effects != Effects::None && !loads_constant : effects == Effects::Write) return false;
    }
    return false;
  }

  // Whether the registers permit moving the later access up, or the earlier store down.
  bool can_meet(size_t first, size_t later, bool store) const {
    const MachineInst &a = insts_[first], &b = insts_[later];
    for (const Register& r : b.operands)
      if (touches(a.results, r)) return false;
    for (size_t k = first + 1; k < later; ++k) {
      const MachineInst& between = insts_[k];
      if (between.op == Op::Count_) continue;
      const MachineInst& moved = store ? a : b;
      for (const Register& r : moved.operands)
        if (touches(between.results, r)) return false;
      for (const Register& r : moved.results)
        if (touches(between.results, r) || touches(between.operands, r)) return false;
    }
    // A scalar destination must not overlap an address that a replay would read again.
    return info(a.op).machine.form != Smem ||
           std::ranges::none_of(b.results, [&](const Register& r) { return touches(a.operands, r); });
  }

  // Whether both access global memory at one address, at offsets that do not overlap. can_meet checks that
  // the address registers keep their values in between.
  static bool lie_apart(const MachineInst& a, const MachineInst& b) {
    for (const Family& f : kFamilies)
      for (const Family& g : kFamilies) {
        const Wider *x = row_of(f, a.op), *y = row_of(g, b.op);
        if (!x || !y || f.scalar || g.scalar || !same_place(a, f, b, g)) continue;
        return a.attrs[0] + 4 * int64_t{x->words} <= b.attrs[0] ||
               b.attrs[0] + 4 * int64_t{y->words} <= a.attrs[0];
      }
    return false;
  }

  bool pair_up(size_t first, const Pairing& p) {
    auto fits = [&](const MachineInst& i) {
      return i.attrs[0] % p.bytes == 0 && i.attrs[0] / p.bytes <= kMostOffset;
    };
    if (!fits(insts_[first])) return false;
    return each_partner(
        first, p.store, [&](Op op) { return op == p.one; },
        [&](size_t k) {
          MachineInst &a = insts_[first], &b = insts_[k];
          if (!fits(b) || a.operands[0] != b.operands[0] || a.attrs[0] == b.attrs[0]) return false;
          MachineInst both = p.store ? b : a;
          both.op = p.two;
          int64_t low = a.attrs[0], high = b.attrs[0];
          if (p.store) {
            both.operands = {a.operands[0], a.operands[1], b.operands[1]};
          } else {
            Register to = a.results[0];
            const Register &x = a.results[0], &y = b.results[0];
            if (y.first == x.first + x.count)
              to.count += y.count;
            else if (x.first == y.first + y.count)
              to = {y.kind, y.first, x.count + y.count, 0}, std::swap(low, high);
            else
              return false;
            if (even_tuples_ && to.first % 2 != 0) return false;
            both.results = {to};
          }
          both.attrs[0] = low / p.bytes, both.attrs[1] = high / p.bytes;
          replace(first, k, std::move(both), p.store);
          return true;
        });
  }

  bool widen(size_t first, const Family& f, uint32_t words) {
    return each_partner(
        first, f.store, [&](Op op) { return row_of(f, op) != nullptr; },
        [&](size_t k) {
          MachineInst &a = insts_[first], &b = insts_[k];
          const uint32_t more = row_of(f, b.op)->words;
          auto row = std::ranges::find(f.rows, words + more, &Wider::words);
          if (row == f.rows.end() || !same_place(a, f, b, f)) return false;
          const int64_t at = offset(a, f), then = offset(b, f);
          const bool up = then == at + 4 * static_cast<int64_t>(words);
          if (!up && at != then + 4 * static_cast<int64_t>(more)) return false;
          Register low = data(up ? a : b, f), high = data(up ? b : a, f);
          if (high.first != low.first + low.count) return false;
          low.count += high.count;
          if (f.scalar && low.first % std::min<uint32_t>(low.count, 4) != 0) return false;
          if (!f.scalar && even_tuples_ && low.first % 2 != 0) return false;
          MachineInst both = f.store ? b : a;
          const std::vector<Register>& addresses = (up ? a : b).operands;
          both.op = row->op, both.operands = addresses, both.attrs = (up ? a : b).attrs;
          data(both, f) = low;
          replace(first, k, std::move(both), f.store);
          return true;
        });
  }

  static Register& data(MachineInst& inst, const Family& f) {
    return f.store ? inst.operands[1] : inst.results[0];
  }
  static int64_t offset(const MachineInst& inst, const Family& f) {
    return f.scalar ? inst.operands[1].imm : inst.attrs[0];
  }
  // Whether both have the same address registers.
  static bool same_place(const MachineInst& a, const Family& f, const MachineInst& b, const Family& g) {
    if (f.scalar)
      return a.operands[0] == b.operands[0] && a.operands[1].kind == Register::Immediate &&
             b.operands[1].kind == Register::Immediate;
    auto base = [](const MachineInst& inst, const Family& family) -> const Register* {
      const size_t k = family.store ? 2 : 1;
      return inst.operands.size() > k ? &inst.operands[k] : nullptr;
    };
    const Register *x = base(a, f), *y = base(b, g);
    if (a.operands[0] != b.operands[0] || !x != !y || (x && *x != *y)) return false;
    return a.attrs[1] == b.attrs[1] && a.attrs[2] == b.attrs[2];
  }

  void replace(size_t first, size_t later, MachineInst both, bool store) {
    insts_[store ? first : later].op = Op::Count_;
    insts_[store ? later : first] = std::move(both);
  }

  std::vector<MachineInst>& insts_;
  bool even_tuples_;
};

}  // namespace

void merge_accesses(std::vector<MachineBlock>& blocks, bool even_tuples) {
  for (MachineBlock& b : blocks) AccessMerger(b.insts, even_tuples).run();
}

}  // namespace kc::gcn
