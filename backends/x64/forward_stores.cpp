// SPDX-License-Identifier: Apache-2.0
// Store-to-load forwarding of vectors in local memory, in straight-line code, at constant places. A processor
// forwards a store to a load only if the load lies within it; a load of the end of one store and the start of
// the next waits until both have left the store buffer.
//
//   vstore %l, %1, disp=0                      vstore %l, %1, disp=0
//   vstore %l, %2, disp=64               ==>   vstore %l, %2, disp=64
//   %3 = vload %l, disp=60                     %3 = valignd %2, %1, 15
//
// Stores that are overwritten, or whose group ends, before something loads them are removed. No other thread
// sees local memory, so volatile accesses are like others. Constants have been folded into addresses before.
#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "backends/x64/cleanup.h"
#include "backends/x64/elements.h"
#include "backends/x64/emit.h"
#include "backends/x64/syntax.h"
#include "ir/cfg.h"
#include "passes/ir_util.h"
#include "runtime/image.h"

namespace kc::x64 {
namespace {

constexpr int64_t kWordSize = 4;
constexpr size_t kMostFollowed = 2048;  // words of local memory
constexpr unsigned kMostLanes = 16;
constexpr uint8_t kNoOperand = 255;

using Lanes = uint32_t;  // bit n: lane n
constexpr Lanes first_lanes(size_t n) { return (Lanes{1} << n) - 1; }

// What an instruction does with memory.
struct LocalAccess {
  enum Kind : uint8_t { Load, Broadcast, ToRegister, Store } kind;
  uint8_t base = 0, value = 0;  // operands
  int64_t bytes = 0;
  std::optional<uint8_t> mask{};  // an operand
  uint8_t element = 4;            // that a lane of the mask stands for, in bytes
};

std::optional<LocalAccess> access_of(const Inst& inst) {
  const int64_t size = inst.attrs[0];
  switch (inst.op) {
    case Op::x64_vload:
      return LocalAccess{LocalAccess::Load, 0, 0, size};
    case Op::x64_vmovss_load:
      return LocalAccess{LocalAccess::Load, 0, 0, 4};
    case Op::x64_vmovsd_load:
      return LocalAccess{LocalAccess::Load, 0, 0, 8};
    case Op::x64_vload32:
    case Op::x64_vload32_k:
      return LocalAccess{LocalAccess::Load, 1, 0, size, 0};
    case Op::x64_vload64:
    case Op::x64_vload64_k:
      return LocalAccess{LocalAccess::Load, 1, 0, size, 0, 8};
    case Op::x64_vbroadcast32:
      return LocalAccess{LocalAccess::Broadcast, 0, 0, 4};
    case Op::x64_load32:
      return LocalAccess{LocalAccess::ToRegister, 0, 0, 4};
    case Op::x64_vstore:
      return LocalAccess{LocalAccess::Store, 0, 1, size};
    case Op::x64_vstore128:
      return LocalAccess{LocalAccess::Store, 0, 1, 16};
    case Op::x64_vstore64x:
    case Op::x64_vmovsd_store:
      return LocalAccess{LocalAccess::Store, 0, 1, 8};
    case Op::x64_vmovss_store:
      return LocalAccess{LocalAccess::Store, 0, 1, 4};
    case Op::x64_vstore32:
    case Op::x64_vstore32_k:
      return LocalAccess{LocalAccess::Store, 1, 2, size, 0};
    case Op::x64_vstore64:
    case Op::x64_vstore64_k:
      return LocalAccess{LocalAccess::Store, 1, 2, size, 0, 8};
    default:
      return std::nullopt;
  }
}

// The operand that holds the address, or its base; kNoOperand if a vector holds whole addresses; none if the
// instruction accesses no memory but the launch record.
std::optional<uint8_t> base_operand(Op op) {
  for (const SyntaxInst& part : syntax_of(op).insts)
    for (const SyntaxOperand& o : part.operands)
      if (o.kind == SyntaxOperand::Mem && o.reg.place != Place::Context)
        return o.reg.place == Place::Operand ? o.reg.number : kNoOperand;
  return std::nullopt;
}

class StoreForwarding {
 public:
  StoreForwarding(Function& machine, bool with_avx512, bool whole_groups)
      : f(machine), cfg_(machine), e(machine, with_avx512), whole_groups_(whole_groups), replaced_(machine) {}

  void run() {
    if (!uses_local_memory()) return;
    std::vector<State> at_end(f.block_count());
    for (BlockId b : cfg_.rpo) {
      state_.clear();
      if (cfg_.preds[b.index].size() == 1)  // other ways on from there begin with nothing
        state_ = std::exchange(at_end[cfg_.preds[b.index][0].index], {});
      block(b);
      if (f.successors(b).size() != 1 || cfg_.preds[f.successors(b)[0].block.index].size() != 1) need_all();
      at_end[b.index] = std::move(state_);
    }
    for (BlockId b : f.layout)
      std::erase_if(f.block(b).insts, [&](InstId i) { return i.index < dead_.size() && dead_[i.index]; });
    e.finish();
    apply_replacements(f, replaced_);
  }

 private:
  struct Word {
    ValueId vector;
    uint8_t lane = 0, lanes = 0;  // and how many its store has
    uint32_t store = 0;           // by which it is in memory
  };
  // The arrays of the kernel together, or what one of its parameters points to, by the place of the argument;
  // these do not overlap.
  using Object = int64_t;
  static constexpr Object kOwn = -1;
  using WordPlace = std::pair<Object, int64_t>;
  using State = std::map<WordPlace, Word>;
  struct Store {
    InstId inst;
    unsigned words = 0;  // that no later store has overwritten
    bool needed = false;
  };

  enum class Root : uint8_t { Local, NotLocal, Unknown };
  struct Address {
    Root root = Root::Unknown;
    Object object = kOwn;
    std::optional<int64_t> disp = 0;  // none if there is an index
  };
  Address address_of(ValueId v) const {
    Address a;
    for (InstId d = f.def(v); d; d = f.def(v)) {
      const Inst& inst = f.inst(d);
      switch (inst.op) {
        case Op::x64_ctx_load:
          a.root = is_local_memory(v) ? Root::Local : Root::NotLocal;
          return a;
        case Op::x64_load64:  // an argument
          if (points_to(inst, kPtrGlobal) || points_to(inst, kPtrConstant)) a.root = Root::NotLocal;
          return a;
        case Op::x64_add:
          for (size_t k : {0, 1}) {
            if (!is_local_memory(inst.operands[k])) continue;
            a.root = Root::Local;
            if (const auto slot = local_argument(inst.operands[1 - k]))
              a.object = *slot;
            else if (const auto offset = constant_of(inst.operands[1 - k]); offset && a.disp)
              *a.disp += static_cast<int64_t>(*offset);
            else
              a.disp.reset();
            break;
          }
          return a;
        case Op::x64_lea:
          if (a.disp) *a.disp += inst.attrs[3];
          break;
        case Op::x64_lea_index:
          if (const auto index = constant_of(inst.operands[1]); index && a.disp)
            *a.disp += static_cast<int64_t>(*index) * inst.attrs[2] + inst.attrs[3];
          else
            a.disp.reset();
          break;
        default:
          return a;
      }
      v = inst.operands[0];
    }
    return a;
  }
  bool uses_local_memory() const {
    return std::ranges::any_of(f.layout, [&](BlockId b) {
      return std::ranges::any_of(f.block(b).insts, [&](InstId i) {
        const Inst& inst = f.inst(i);
        return inst.op == Op::x64_ctx_load && is_local_memory(inst.results[0]);
      });
    });
  }
  bool is_local_memory(ValueId v) const {
    constexpr auto kLocal = static_cast<int64_t>(offsetof(CpuWaveContext, local_memory));
    const Inst* field = defined_by(f, v, Op::x64_ctx_load);
    return field && field->attrs[3] == kLocal;
  }
  // Whether it loads an argument of this type.
  bool points_to(const Inst& load, Type type) const {
    constexpr auto kArguments = static_cast<int64_t>(offsetof(CpuWaveContext, args));
    constexpr int64_t kSlot = 8;  // bytes
    const Inst* table = defined_by(f, load.operands[0], Op::x64_ctx_load);
    if (!table || table->attrs[3] != kArguments || !f.target) return false;
    const auto& arguments = f.target->arguments;
    const auto n = static_cast<size_t>(load.attrs[3] / kSlot);
    return n < arguments.size() && arguments[n].type == type;
  }
  // A pointer to local memory is an offset.
  std::optional<Object> local_argument(ValueId v) const {
    if (const Inst* wide = defined_by(f, v, Op::x64_movsx32)) v = wide->operands[0];
    for (Op op : {Op::x64_load32, Op::x64_load32s})
      if (const Inst* load = defined_by(f, v, op); load && points_to(*load, kPtrLocal)) return load->attrs[3];
    return std::nullopt;
  }

  void block(BlockId b) {
    e.block = b;
    pending_ = true;
    for (InstId i : std::exchange(f.block(b).insts, {})) {
      removed_ = false;
      visit(i);
      if (!removed_) f.append(b, i);
    }
  }

  void visit(InstId i) {
    const Inst& inst = f.inst(i);
    const Effects effects = info(inst.op).effects;
    if (inst.op == Op::x64_leave) {
      if (whole_groups_) end_group();
      return;
    }
    if (inst.op == Op::x64_barrier) {
      need_all(), forget();
      return;
    }
    if (effects != Effects::Read && effects != Effects::Write) return;
    const auto base = base_operand(inst.op);
    if (!base) return;
    const Address at = *base == kNoOperand ? Address() : address_of(inst.operands[*base]);
    if (at.root == Root::NotLocal) return;
    const auto access = access_of(inst);
    const auto lanes = access && at.disp ? active_lanes(inst, *access) : std::nullopt;
    const int64_t place = at.disp.value_or(0) + (lanes ? inst.attrs[3] : 0);
    if (!lanes || place % kWordSize != 0 || at.root == Root::Unknown) {
      // An index may lead from the start of local memory to any object.
      const bool known = at.root == Root::Local && at.object != kOwn;
      const auto object = known ? std::optional(at.object) : std::nullopt;
      need_all(object);
      if (effects == Effects::Write) forget(object);
      return;
    }
    const WordPlace first{at.object, place / kWordSize};
    if (access->kind == LocalAccess::Store)
      store(i, *access, first, *lanes);
    else if (!load(i, *access, first, *lanes))
      need(first, *lanes);
  }

  // --- masks

  // The words that an access has, as far as they are known.
  std::optional<Lanes> active_lanes(const Inst& inst, const LocalAccess& a) const {
    if (a.bytes <= 0 || a.bytes % kWordSize != 0) return std::nullopt;
    const auto words = static_cast<size_t>(a.bytes / kWordSize);
    if (!a.mask) return first_lanes(words);
    const auto bits = constant_mask(inst.operands[*a.mask], a.element);
    if (!bits) return std::nullopt;
    Lanes lanes = 0;
    for (size_t k = 0; k < words; ++k)
      if (*bits >> (a.element == 8 ? k / 2 : k) & 1) lanes |= Lanes{1} << k;
    return lanes;
  }
  std::optional<uint64_t> constant_of(ValueId gpr) const {
    if (f.is_const(gpr)) return f.value(gpr).bits;
    const Inst* d = defined_by(f, gpr, Op::x64_imm);
    return d && f.is_const(d->operands[0]) ? std::optional(f.value(d->operands[0]).bits) : std::nullopt;
  }
  // As Emit makes masks of bits.
  std::optional<Lanes> constant_mask(ValueId mask, unsigned element) const {
    if (defined_by(f, mask, Op::x64_kones) || defined_by(f, mask, Op::x64_vones) ||
        defined_by(f, mask, Op::x64_vones512))
      return ~Lanes{0};
    if (const Inst* k = defined_by(f, mask, Op::x64_kmov_from_gpr))
      if (const auto bits = constant_of(k->operands[0])) return static_cast<Lanes>(*bits);
    if (element != kWordSize) return std::nullopt;
    const Inst* sign = defined_by(f, mask, Op::x64_vpsrad);
    const Inst* shifted =
        sign && sign->attrs[1] == 31 ? defined_by(f, sign->operands[0], Op::x64_vpsllvd) : nullptr;
    const Inst* all = shifted ? defined_by(f, shifted->operands[0], Op::x64_vpbroadcastd) : nullptr;
    const Inst* word = all ? defined_by(f, all->operands[0], Op::x64_vmovd_from_gpr) : nullptr;
    const Inst* by = shifted ? defined_by(f, shifted->operands[1], Op::x64_viota) : nullptr;
    const auto bits = word ? constant_of(word->operands[0]) : std::nullopt;
    if (!by || !bits || by->attrs[1] != 31 || by->attrs[2] != -1 || by->attrs[3] != kWordSize)
      return std::nullopt;
    return static_cast<Lanes>(*bits);
  }

  // --- stores

  void store(InstId i, const LocalAccess& a, WordPlace first, Lanes lanes) {
    const auto number = static_cast<uint32_t>(stores_.size());
    stores_.push_back({i});
    pending_ = true;
    const ValueId vector = replaced_.resolve(f.inst(i).operands[a.value]);
    for (int64_t k = 0; k < a.bytes / kWordSize; ++k) {
      if (!(lanes >> k & 1)) continue;
      const WordPlace place{first.first, first.second + k};
      if (const auto old = state_.find(place); old != state_.end()) drop_word(old->second.store);
      state_[place] = {vector, static_cast<uint8_t>(k), static_cast<uint8_t>(a.bytes / kWordSize), number};
      ++stores_[number].words;
    }
    if (state_.size() > kMostFollowed) need_all(), forget();
  }
  void drop_word(uint32_t number) {
    Store& s = stores_[number];
    if (--s.words != 0 || s.needed) return;
    if (dead_.size() <= s.inst.index) dead_.resize(f.inst_count());
    dead_[s.inst.index] = true;
  }
  // The words of one object, or of all.
  std::pair<State::iterator, State::iterator> words_of(std::optional<Object> object) {
    if (!object) return {state_.begin(), state_.end()};
    constexpr int64_t kFirst = std::numeric_limits<int64_t>::min();
    return {state_.lower_bound({*object, kFirst}), state_.lower_bound({*object + 1, kFirst})};
  }
  void need_all(std::optional<Object> object = std::nullopt) {
    if (!object && !pending_) return;
    if (!object) pending_ = false;
    for (auto [at, end] = words_of(object); at != end; ++at) stores_[at->second.store].needed = true;
  }
  void need(WordPlace place, Lanes lanes) {
    for (; lanes != 0; lanes >>= 1, ++place.second)
      if (const auto at = state_.find(place); lanes & 1 && at != state_.end())
        stores_[at->second.store].needed = true;
  }
  void forget(std::optional<Object> object = std::nullopt) {
    const auto [first, last] = words_of(object);
    state_.erase(first, last);
  }
  // The group ends.
  void end_group() {
    for (auto& [place, word] : state_) drop_word(word.store);
    forget();
  }

  // --- loads

  // What is above the words that it loads may be anything: nothing reads it.
  bool load(InstId i, const LocalAccess& a, WordPlace first, Lanes lanes) {
    std::array<const Word*, kMostLanes> words{};
    const size_t n = static_cast<size_t>(a.bytes / kWordSize);
    for (size_t k = 0; k < n; ++k) {
      if (!(lanes >> k & 1)) continue;
      const auto at = state_.find({first.first, first.second + static_cast<int64_t>(k)});
      if (at == state_.end()) return false;
      words[k] = &at->second;
    }
    e.loc = f.inst(i).loc;
    ValueId r;
    if (a.kind == LocalAccess::Load)
      r = gathered(words, n);
    else if (a.kind == LocalAccess::Broadcast)
      r = broadcast(*words[0], static_cast<unsigned>(f.inst(i).attrs[0]));
    else
      r = in_register(*words[0]);
    if (!r.valid()) return false;
    if (a.mask && lanes != first_lanes(n))
      r = e.keep(f.inst(i).operands[*a.mask], r, {static_cast<unsigned>(a.bytes), a.element * 8U});
    replaced_.set(f.inst(i).results[0], r);
    removed_ = true;
    return true;
  }

  // A vector of words of one or two vectors, or none. Words that are null may be anything.
  ValueId gathered(const std::array<const Word*, kMostLanes>& words, size_t n) {
    ValueId first, second;
    unsigned lanes = 0;
    for (size_t k = 0; k < n; ++k) {
      const Word* w = words[k];
      if (!w) continue;
      if (first.valid() && w->lanes != lanes) return {};
      if (w->vector == first || w->vector == second) continue;
      if (second.valid()) return {};
      (first.valid() ? second : first) = w->vector, lanes = w->lanes;
    }
    if (!first.valid() || lanes < n) return {};
    auto is = [&](auto&& matches) {
      for (size_t k = 0; k < n; ++k)
        if (words[k] && !matches(words[k]->vector, words[k]->lane, k)) return false;
      return true;
    };
    const unsigned bytes = lanes * kWordSize;
    if (!second.valid()) {
      const size_t from =
          static_cast<size_t>(std::ranges::find_if(words, [](auto* w) { return w; }) - words.begin());
      const int by = int{words[from]->lane} - static_cast<int>(from);
      if (!is([&](ValueId, size_t lane, size_t k) {
            return static_cast<int>(lane) == static_cast<int>(k) + by;
          }))
        return {};
      return moved(first, by, bytes, n);
    }
    if (is([](ValueId, size_t lane, size_t k) { return lane == k; })) {
      Lanes of_second = 0;
      for (size_t k = 0; k < n; ++k)
        if (words[k] && words[k]->vector == second) of_second |= Lanes{1} << k;
      return blended(first, second, of_second, bytes);
    }
    if (n != lanes || lanes < 4) return {};
    for (unsigned by = 1; by < lanes; ++by)
      if (is([&](ValueId v, size_t lane, size_t k) {
            return k + by < lanes ? v == first && lane == k + by : v == second && lane == k + by - lanes;
          }))
        return aligned(first, second, by, bytes);
    return {};
  }

  // Lanes `by` to `by` + n of a vector come first.
  ValueId moved(ValueId v, int by, unsigned bytes, size_t n) {
    if (by == 0) return v;
    const unsigned lanes = bytes / kWordSize;
    const auto up = static_cast<unsigned>(by < 0 ? by + static_cast<int>(lanes) : by);
    if (bytes == 16 || (by > 0 && up + n <= 4)) return e.vec(Op::x64_vpshufd, {v}, 16, rotation(up));
    return aligned(v, v, up, bytes);
  }
  // Of four words.
  static int64_t rotation(unsigned by) {
    int64_t imm = 0;
    for (unsigned k = 0; k < 4; ++k) imm |= int64_t{(k + by) % 4} << 2 * k;
    return imm;
  }
  // Lanes from `by` on of one vector and the rest of the other.
  ValueId aligned(ValueId low, ValueId high, unsigned by, unsigned bytes) {
    if (bytes == 16) return e.vec(Op::x64_vpalignr, {high, low}, 16, by * kWordSize);
    if (e.avx512) return e.vec(Op::x64_valignd, {high, low}, bytes, by);
    constexpr int64_t kMiddle = 0x21;
    constexpr unsigned kHalf = 4;
    const ValueId middle = e.vec(Op::x64_vperm2i128, {low, high}, bytes, kMiddle);
    if (by == kHalf) return middle;
    return by < kHalf ? e.vec(Op::x64_vpalignr, {middle, low}, bytes, by * kWordSize)
                      : e.vec(Op::x64_vpalignr, {high, middle}, bytes, (by - kHalf) * kWordSize);
  }
  ValueId blended(ValueId a, ValueId b, Lanes of_b, unsigned bytes) {
    if (!e.avx512) return e.vec(Op::x64_vblendps, {a, b}, bytes, of_b);
    const VecType t{bytes, 32};
    return e.blend(e.mask_from_bits(e.gpr_const(of_b), t), b, a, t);
  }
  ValueId broadcast(const Word& w, unsigned bytes) {
    ValueId v = w.vector;
    if (w.lane != 0) {
      if (w.lane >= 4) return {};
      v = e.vec(Op::x64_vpshufd, {v}, 16, rotation(w.lane));
    }
    return e.vec(Op::x64_vpbroadcastd, {v}, bytes);
  }
  ValueId in_register(const Word& w) {
    if (w.lane == 0) return e.gpr(Op::x64_vmovd_to_gpr, {w.vector}, 4);
    return w.lane < 4 ? e.gpr(Op::x64_vpextrd, {w.vector}, 4, w.lane) : ValueId();
  }

  Function& f;
  const Cfg cfg_;
  Emit e;
  const bool whole_groups_;
  Replacements replaced_;
  bool removed_ = false;  // the current instruction
  bool pending_ = false;  // there may be stores that nothing has needed yet
  State state_;
  std::vector<bool> dead_;  // by instruction
  std::vector<Store> stores_;
};

}  // namespace

void forward_stores(Function& machine, bool avx512, bool whole_groups) {
  StoreForwarding(machine, avx512, whole_groups).run();
}

}  // namespace kc::x64
