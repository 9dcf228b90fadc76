// SPDX-License-Identifier: Apache-2.0
// Instruction selection for gfx9, one wave instruction at a time. Uniform values are in scalar registers,
// lane values in vector registers, masks and lane conditions in scalar registers with a bit for each lane.
// Lanes of 8 and 16 bits are zero-extended in 32-bit registers.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "backends/gcn/gcn.h"
#include "backends/gcn/registers.h"
#include "ir/function.h"
#include "ir/lists.h"

namespace kc::gcn {

/// Scalar compares in the order of the attribute `cc` of p_cmp and p_br_cmp.
enum Compare : int64_t { EqI32, LgI32, LtI32, LeI32, GtI32, GeI32, LtU32, LeU32, GtU32, GeU32, EqU64, LgU64 };

/// Which operands of a float instruction are negated (the attribute `neg`): a flip of the sign bit, exact.
enum Negate : int64_t { kNegateNone = 0, kNegateFirst = 1, kNegateSecond = 2 };
/// Classes -0, +0 and +inf of v_cmp_class: numbers that are their own square roots.
inline constexpr int64_t kOwnRoots = 0x260;

/// Recursion depth of bound_of.
inline constexpr int kBoundDepth = 4;
/// Range of the immediate of an instruction for local memory.
inline constexpr int64_t kLocalReach = 65536;

inline bool is_small(Elem elem) { return elem == Elem::I8 || elem == Elem::I16; }
inline bool is_wide(Elem elem) { return Type{elem}.bits() == 64; }
inline int64_t low_bits(Elem elem) { return (int64_t{1} << Type{elem}.bits()) - 1; }

/// Whether the constant is encodable without a literal: small integers, and +-0.5, 1, 2, 4 as f32.
bool is_inline_constant(uint32_t bits);

class Selector {
 public:
  Selector(const Function& wave, Function& out, const MachineModel& model)
      : w(wave),
        m(out),
        b(out),
        model_(model),
        masks_(lane_masks(model)),
        map_(wave.value_count()),
        blocks_(wave.block_count()) {}
  void run();
  /// After run: the vector registers (by value) that are equal in all active lanes.
  const std::set<uint32_t>& same_in_lanes() const { return same_in_lanes_; }

 private:
  // select.cpp: blocks, edges, masks
  void entry();
  void find_used();
  void find_stores();
  void load_parameters();
  void block(BlockId id);
  void instruction(const Inst& inst);
  void mask_instruction(const Inst& inst);
  void note_zero_off(ValueId condition);
  void terminator(const Inst& inst);
  void switch_terminator(const Inst& inst);
  Target edge(const Target& t);
  void set_exec(ValueId mask);
  bool arrives_with_mask(BlockId id) const;
  /// Runs body with exec set to the mask, if that differs from the block's own.
  template <typename Body>
  void under(ValueId wave_mask, Body body) {
    bool narrower = wave_mask != wave_mask_;
    if (narrower) set_exec(reg(wave_mask));
    body();
    if (narrower) set_exec(reg(wave_mask_));
  }

  // operands
  Type machine_type(Type type) const;
  ValueId imm(int64_t v) { return m.constant(kI32, static_cast<uint64_t>(v)); }
  ValueId reg(ValueId wave_value);        // in the class of its type; constants are materialised
  ValueId scalar(ValueId wave_value);     // 32-bit uniform: register or constant
  ValueId vector(ValueId wave_value);     // in vector registers
  ValueId all_lanes(ValueId wave_value);  // in vector registers, with constants also in inactive lanes
  ValueId source(ValueId wave_value);     // 32-bit: vector, scalar or constant
  ValueId to_vector(ValueId machine_value);
  ValueId move_scalar(uint64_t bits, unsigned regs);
  ValueId literal(uint64_t bits);  // in a scalar register
  ValueId half(ValueId pair, bool high);
  ValueId lo(ValueId v), hi(ValueId v);  // halves of a machine value or of a constant
  ValueId pack(ValueId low, ValueId high, bool in_vector);
  bool is_vector(ValueId machine_value) const { return m.type(machine_value).elem == Elem::Vgpr; }
  bool is_scalar_reg(ValueId v) const { return !m.is_inline(v) && !is_vector(v); }
  bool is_inline_constant(ValueId v) const;
  ValueId make(Op op, Type type, std::vector<ValueId> operands, std::initializer_list<int64_t> attrs = {}) {
    return b.make(op, type, std::move(operands), attrs);
  }
  /// Two-operand vector instructions take any source first and a vector register second.
  ValueId vop2(Op op, ValueId x, ValueId y, bool commutes, Type type = vgpr());
  /// Three-operand vector instructions take at most one scalar register and no literals.
  ValueId vop3(Op op, Type type, std::vector<ValueId> operands, std::initializer_list<int64_t> attrs = {});
  ValueId vcmp(Op op, ValueId x, ValueId y);
  ValueId first(ValueId vector_value, Type uniform);  // to scalar registers
  /// Moves a value that is equal in all active lanes to scalar registers, and records the vector register for
  /// later lane uses.
  ValueId shared_by_lanes(ValueId vector_value, Type uniform);

  ValueId constant64(uint64_t bits);                      // in vector registers
  ValueId choose(ValueId mask, ValueId yes, ValueId no);  // lane by lane; a pair or a single register

  // select_arithmetic.cpp
  ValueId arithmetic(const Inst& inst, Type type);  // a machine value for the result
  ValueId lane_op(Op op, Type operand, Type result, const std::vector<ValueId>& operands);
  ValueId lane_int32(Op op, ValueId x, ValueId y);
  ValueId difference32(ValueId x, ValueId y);
  ValueId lane_int64(Op op, ValueId x, ValueId y);
  ValueId addend(ValueId pair);
  ValueId add64(ValueId x, ValueId y);
  ValueId multiply64(ValueId x, ValueId y);
  ValueId lane_compare(Op op, Elem elem, ValueId x, ValueId y);
  ValueId lane_select(ValueId mask, ValueId yes, ValueId no, Elem elem);
  ValueId mask_op(Op op, const std::vector<ValueId>& v);
  ValueId narrow(ValueId v, Elem elem);  // clears the bits above 8 or 16
  ValueId widen_signed(ValueId v, Elem elem);
  ValueId lane_bits(ValueId v, Elem elem);    // operand of a lane operation
  ValueId condition_bits(ValueId condition);  // one bit per lane
  ValueId merge_bits(ValueId mask, ValueId yes, ValueId no);

  // select_uniform.cpp
  ValueId uniform_op(const Inst& inst, Elem elem);
  ValueId uniform_resize(const Inst& inst, Elem from);
  ValueId uniform_condition(const Inst& inst);
  ValueId select_scalar(ValueId condition, Type type, ValueId yes, ValueId no);
  ValueId multiply_scalar64(ValueId x, ValueId y);
  ValueId uniform_int32(const Inst& inst);
  ValueId uniform_int64(const Inst& inst);

  // select_float.cpp
  ValueId lane_float(Op op, Elem elem, const std::vector<ValueId>& v);
  ValueId lane_float32(Op op, const std::vector<ValueId>& v);
  ValueId lane_float64(Op op, const std::vector<ValueId>& v);
  ValueId sqrt32(ValueId x);
  ValueId sqrt64(ValueId x);

  // select_convert.cpp
  ValueId lane_convert(Op op, Elem from, Elem to, ValueId x);
  ValueId float_to_int(Elem from, Elem to, bool is_signed, ValueId x);
  ValueId float_to_int64(Elem from, bool is_signed, ValueId x);
  ValueId int_to_float(Elem from, Elem to, bool is_signed, ValueId x);
  ValueId int64_to_f32(bool is_signed, ValueId x);
  ValueId int64_to_f64(bool is_signed, ValueId x);
  ValueId words_of(Elem elem, ValueId x);

  // select_divide.cpp
  ValueId lane_divide(Op op, Elem elem, ValueId x, ValueId y);
  // select_divide_constant.cpp; |d| is at least 2, and unsigned x is at most `bound`
  bool is_invertible(Op op, ValueId divisor, Elem elem) const;
  ValueId divide_by_constant(Op op, ValueId x, uint32_t d, uint64_t bound, bool scalar);
  ValueId divide_unsigned(Elem elem, bool remainder, ValueId n, ValueId d, ValueId x, ValueId y,
                          ValueId sign = {});
  ValueId reciprocal32(ValueId d);
  ValueId reciprocal64(ValueId d);
  ValueId multiply_high64(ValueId x, ValueId y);
  ValueId sign_of(Elem elem, ValueId v);  // all ones when negative, else 0
  ValueId negate_if(Elem elem, ValueId sign, ValueId v);

  // select_address.cpp
  // base + offset + constant. Without an offset the base of a global access is in vector registers. Local and
  // private memory have no offset, and no base means 0.
  struct Address {
    ValueId base, offset;
    int64_t constant = 0;
  };
  struct Parts {  // base + zext(lane), where lane <= bound; no base is 0
    ValueId base, lane;
    uint64_t bound = 0;
  };
  uint64_t bound_of(ValueId v, int depth) const;
  void note_parts(const Inst& inst);
  ValueId scaled_scalar(ValueId v, int64_t scale);
  ValueId scaled_vector(ValueId v, int64_t scale);
  ValueId multiply_add(bool is_signed, ValueId x, int64_t scale, ValueId plus);
  ValueId lane_element(const Inst& inst, int64_t scale, Address& address);
  ValueId ptr_add(const Inst& inst, bool lane);
  Address small_address(ValueId pointer);
  ValueId small_element(ValueId base, ValueId index, int64_t scale);
  ValueId small_ptr_add(const Inst& inst, bool lane);
  Address small_access(ValueId pointer, int64_t reach);
  Address private_access(ValueId pointer);
  Address address_of(ValueId pointer);

  // select_memory.cpp
  void memory(const Inst& inst);
  bool may_load_scalar(ValueId pointer) const;
  ValueId load_scalar(ValueId pointer, Type type);
  ValueId load(ValueId pointer, Elem elem, bool past_caches = false);
  ValueId load_global(const Address& a, Elem elem, bool past_caches);
  ValueId load_local(const Address& a, Elem elem);
  ValueId load_private(ValueId pointer, Elem elem);
  void store(ValueId pointer, ValueId data, Elem elem);
  void store_global(const Address& a, ValueId data, Elem elem);
  void store_local(const Address& a, ValueId data, Elem elem);
  void store_private(ValueId pointer, ValueId data, Elem elem);

  // select_sync.cpp
  void atomic(const Inst& inst);
  void shuffle(const Inst& inst);
  void barrier(const Inst& inst);
  void fence(int64_t flags);

  // select_launch_ids.cpp
  ValueId launch_id(const Inst& inst, Type type);
  ValueId dispatch_word(int64_t byte_offset);

  const Function& w;
  Function& m;
  Builder b;
  const MachineModel& model_;
  const LaneMasks& masks_;
  std::vector<ValueId> map_;
  std::vector<BlockId> blocks_;
  Lists<BlockId> preds_;  // of the wave function's blocks
  std::map<uint64_t, ValueId> literals_;
  std::map<uint32_t, Parts> parts_;        // of 64-bit lane values
  std::map<uint32_t, Address> addresses_;  // of pointers
  std::vector<bool> used_;                 // by wave value
  // Scalar registers read from vector registers whose value is equal in all active lanes.
  struct Broadcast {
    ValueId vector;
    uint32_t exec = 0;
  };
  std::map<uint32_t, Broadcast> broadcasts_;
  std::set<uint32_t> same_in_lanes_;
  std::map<uint32_t, ValueId> zero_off_;  // conditions that are 0 in the lanes outside this mask
  bool exec_is_mask_ = false;             // at the current point exec is the block's mask
  uint32_t exec_ = 0;                     // counts changes of the active exec mask
  ValueId kernarg_, dispatch_, group_[3], local_[3];
  std::vector<bool> written_before_;  // by wave block: a path to it stores to global memory
  bool written_ = false;              // the same for the current point
  ValueId wave_mask_;                 // wave mask of the current block
};

}  // namespace kc::gcn
