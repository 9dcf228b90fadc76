// SPDX-License-Identifier: Apache-2.0
// Register contiguity hints: values that are adjacent in memory, so that merge_accesses can merge their
// accesses, in groups as wide as the widest access, from the lowest address on; and the halves of pairs.
#include <algorithm>
#include <map>
#include <tuple>

#include "backends/gcn/rewrites.h"

namespace kc::gcn {
namespace {

enum class Kind : uint8_t { None, Scalar, Load, Store, Local };

constexpr uint32_t kMostScalars = 16, kMostVectors = 4, kMostLocal = 2;  // words of one access

Kind kind_of(Op op) {
  switch (op) {
    case Op::gcn_s_load_dword:
    case Op::gcn_s_load_dwordx2:
      return Kind::Scalar;
    case Op::gcn_global_load_dword:
    case Op::gcn_global_load_dwordx2:
    case Op::gcn_global_load_dword_saddr:
    case Op::gcn_global_load_dwordx2_saddr:
      return Kind::Load;
    case Op::gcn_global_store_dword:
    case Op::gcn_global_store_dwordx2:
    case Op::gcn_global_store_dword_saddr:
    case Op::gcn_global_store_dwordx2_saddr:
      return Kind::Store;
    case Op::gcn_ds_read_b32:
      return Kind::Local;
    default:
      return Kind::None;
  }
}

// Accesses of one kind at one address; a store has its data between the parts of the address.
struct AccessKey {
  Kind kind;
  ValueId address, base;
  int64_t second, third;  // attributes
  auto operator<=>(const AccessKey&) const = default;
};
struct AccessPart {
  int64_t offset;
  ValueId value;
};

class ContiguousGroups {
 public:
  ContiguousGroups(const Function& function, Elem elem) : f(function), elem_(elem) {}

  std::vector<ContiguousGroup> run() {
    for (BlockId b : f.layout) {
      places_.clear();
      for (InstId i : f.block(b).insts) {
        note(f.inst(i));
        note_halves(f.inst(i));
      }
      for (auto& [place, parts] : places_) cut(place.kind, parts);
    }
    return std::move(groups_);
  }

 private:
  void note(const Inst& inst) {
    const Kind kind = kind_of(inst.op);
    if (kind == Kind::None) return;
    const ValueId value = kind == Kind::Store ? inst.operands[1] : inst.results[0];
    if (!counts(value)) return;
    AccessKey place{kind, inst.operands[0], {}, inst.attrs[1], inst.attrs[2]};
    int64_t offset = inst.attrs[0];
    if (kind == Kind::Scalar) {
      if (!f.is_const(inst.operands[1])) return;
      offset = static_cast<int64_t>(f.value(inst.operands[1]).bits);
    } else if (const size_t base = kind == Kind::Store ? 2 : 1; inst.operands.size() > base) {
      place.base = inst.operands[base];
    }
    places_[place].push_back({offset, value});
  }

  bool counts(ValueId v) const { return !f.is_inline(v) && f.type(v).elem == elem_; }

  // A pair with the values it is made of or split into. Only for scalar registers: a pair that waits for its
  // other half holds registers, and more vector registers per wave mean fewer waves.
  void note_halves(const Inst& inst) {
    if (elem_ != Elem::Sgpr) return;
    const bool packs = inst.op == Op::gcn_p_pack;
    if (!packs && inst.op != Op::gcn_p_lo && inst.op != Op::gcn_p_hi) return;
    ContiguousGroup group{{packs ? inst.results[0] : inst.operands[0], 0}};
    if (!counts(group[0].value)) return;
    if (packs) {
      for (uint32_t k = 0; k < 2; ++k)
        if (counts(inst.operands[k])) group.push_back({inst.operands[k], k});
    } else if (counts(inst.results[0])) {
      group.push_back({inst.results[0], inst.op == Op::gcn_p_hi});
    }
    if (group.size() > 1) groups_.push_back(std::move(group));
  }

  uint32_t words(ValueId v) const { return f.type(v).regs; }

  void cut(Kind kind, std::vector<AccessPart>& parts) {
    std::ranges::stable_sort(parts, {}, &AccessPart::offset);
    const uint32_t most = kind == Kind::Scalar  ? kMostScalars
                          : kind == Kind::Local ? kMostLocal
                                                : kMostVectors;
    ContiguousGroup group;
    uint32_t length = 0;
    int64_t end = 0;
    auto finish = [&] {
      if (group.size() > 1) groups_.push_back(group);
      group.clear(), length = 0;
    };
    for (const AccessPart& p : parts) {
      const uint32_t more = words(p.value);
      if (p.offset != end || length + more > most ||
          std::ranges::find(group, p.value, &GroupPart::value) != group.end())
        finish();
      group.push_back({p.value, length});
      length += more, end = p.offset + 4 * static_cast<int64_t>(more);
    }
    finish();
  }

  const Function& f;
  const Elem elem_;
  std::map<AccessKey, std::vector<AccessPart>> places_;
  std::vector<ContiguousGroup> groups_;
};

}  // namespace

std::vector<ContiguousGroup> contiguity_hints(const Function& f, Elem elem) {
  return ContiguousGroups(f, elem).run();
}

}  // namespace kc::gcn
