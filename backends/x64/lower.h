// SPDX-License-Identifier: Apache-2.0
// Selects machine instructions for a wave function: purpose and pieces.
//
// Each lane value becomes one machine vector for every 8 (AVX2) or 16 (AVX-512) lanes, two if its elements
// have 64 bits; masks and lane<i1> become element masks. A lane value with a constant step between lanes also
// has a scalar, its value at lane 0, used for addresses; dead code elimination removes the unused form.
// Uniform values are in general registers (floats in vectors).
//
//   %5: lane<f32> = fadd %3, %4   ->   %11: vec = vaddps %7, %9    %12: vec = vaddps %8, %10
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "backends/x64/byte_lanes.h"
#include "backends/x64/emit.h"
#include "backends/x64/interleaved.h"
#include "backends/x64/lowered.h"
#include "backends/x64/snan_analysis.h"
#include "backends/x64/x64.h"
#include "ir/cfg.h"
#include "passes/analysis/cache.h"
#include "passes/analysis/lane_patterns.h"
#include "passes/analysis/neighbours.h"
#include "passes/analysis/shape.h"

namespace kc::x64 {

class X64Lowering {
 public:
  X64Lowering(const Function& wave, const X64Options& options);
  Function run();

 private:
  // --- driver and control (lower.cpp)
  void parameters(), block_parameters(BlockId b), block(BlockId b), instruction(const Inst&inst);
  void terminator(const Inst&inst), multiway(const Inst&inst), conditional(ValueId c, Target yes, Target no);
  Target edge(const Target& t);
  void launch_id(const Inst&inst), bind(ValueId v, Lowered value);
  bool takes_apart(const Inst&sum), has_scalar(ValueId v) const;
  BlockId fresh_block(std::string hint);
  Lowered full_mask();

  // --- operands
  using Vectors = std::vector<ValueId>;  // those of all lanes
  Vectors parts(ValueId v), splat(ValueId scalar_value, Elem elem);
  /// A uniform value (or that of lane 0) in a general or vector register.
  ValueId scalar(ValueId v);
  /// The same, possibly as an immediate.
  ValueId scalar_or_imm(ValueId v);

  // --- uniform values (lower_uniform.cpp)
  ValueId uniform_op(const Inst& inst);
  ValueId uniform_int(const Inst& inst, Elem elem, unsigned size);
  ValueId quotient_by_constant(ValueId x, uint64_t divisor, bool is_signed, unsigned size);
  ValueId uniform_division(const Inst& inst, Elem elem, unsigned size);
  ValueId uniform_compare(const Inst& inst, Elem elem);
  ValueId uniform_convert(const Inst& inst, Elem from, Elem to);
  ValueId uniform_float(const Inst&inst, Elem elem), uniform_select(const Inst&inst, Elem elem);
  ValueId pointer_sum(const Inst&inst), scaled(ValueId index, int64_t scale);
  ValueId extended(ValueId v, Elem from, bool is_signed, unsigned size), cut(ValueId v, Elem elem);
  /// The index of a pointer's sum.
  WideIndex wide_index(const Inst& sum);

  // --- lane values (lower_lanes.cpp)
  void lane_op(const Inst& inst);
  using LaneForm = bool(const Inst& inst, Lowered& r);  // false if another form is needed
  LaneForm lane_division, lane_product, product_of_shorts, lane_shift, lane_minimum, lane_range, lane_bound;
  ValueId make_inverse(ValueId divisor, bool is_signed);
  void lane_pointer_sum(const Inst&inst, Lowered&r), lane_select(const Inst&inst, Lowered&r);
  void merge(const Inst&inst), mask_op(const Inst&inst);
  void first_lane(const Inst&inst), lane_shuffle(const Inst&inst), next_wave(), move_wave(const Inst&inst);
  std::optional<ScalarTest> scalar_test(ValueId mask);
  ValueId any_bit(ValueId mask), all_parts_or(ValueId mask), all_parts_and(ValueId mask);
  ValueId element_of_lane(ValueId mask, ValueId value, bool highest);

  // --- memory (lower_memory.cpp, lower_runs.cpp, lower_scatter.cpp, lower_apart.cpp)
  void lane_load(const Inst&inst), lane_store(const Inst&inst), uniform_load(const Inst&inst);
  void uniform_store(const Inst&inst), store_once(const Inst&inst);
  ScalarPlace scalar_place(ValueId pointer), offset_place(ValueId pointer, Elem space),
      element(const Inst&sum, ValueId start, const WideIndex&i, int64_t disp);
  ValueId load_scalar(const ScalarPlace& at, Elem elem);
  void store_scalar(const ScalarPlace& at, ValueId value, bool is_volatile = false);
  ValueId block_of_memory(Elem space), context_field(size_t offset), context_address(int64_t offset);
  ValueId flat_address(ValueId pointer, int64_t*disp = nullptr), local_address(ValueId p, int64_t&moved),
      start_of_local(ValueId offset);
  bool only_sign_extended(const Inst&load) const, streams_to(ValueId mask, ValueId pointer) const;
  void store_past_caches(ValueId address, int64_t disp, const Vectors& data, unsigned bytes);
  Vectors load_contiguous(ValueId mask, ValueId address, Elem elem, int64_t disp = 0, bool sign = false);
  ValueId load_run(ValueId lanes, ValueId address, int64_t disp, Elem elem, VecType t, bool sign = false);
  void store_run(ValueId lanes, ValueId address, int64_t disp, Elem elem, ValueId data, VecType t);
  void store_contiguous(ValueId mask, ValueId address, Elem elem, const Vectors& data, int64_t disp = 0);
  void store_small(ValueId address, int64_t disp, Elem elem, const Vectors& data);
  bool indexed_address(ValueId pointer, Indexed& out);
  Vectors long_addresses(ValueId pointer, int64_t disp = 0), gathered(const Inst&load),
      gathered_far(const Inst&load);
  Vectors gather_indexed(const Vectors& mask, const Indexed& at, Elem elem);
  Vectors gather_long(ValueId mask, const Vectors& addresses, Elem elem);
  Vectors gather_small(ValueId mask, ValueId pointer, Elem elem, int64_t disp = 0);
  Vectors gather_parts_of_words(const Vectors& mask, Indexed& at, bool aligned, Elem elem);
  Vectors parts_of_words(const Vectors& words, const Vectors& bytes, Elem elem);
  Vectors byte_distances(Indexed& at, bool aligned);
  Vectors load_small_lanes(ValueId mask, ValueId pointer, Elem elem);
  using Access = std::function<Vectors()>;  // gives what a load does, and nothing if it stores
  Vectors where_full(ValueId mask, const Access& full, const Access& some);
  Vectors where_readable(ValueId mask, const ByteRange& range, const Access& all, const Access& some);
  void branch_on_full(ValueId mask, BlockId if_full, BlockId if_some);
  Vectors in_either(BlockId a, const Access& in_a, BlockId b, const Access& in_b);
  Vectors load_small_run(ValueId mask, ValueId pointer, Elem elem, bool is_signed);
  void store_small_run(ValueId mask, ValueId pointer, Elem elem, const Vectors& data);
  bool is_reversed(ValueId pointer, Elem elem) const, gathers_words(ValueId pointer) const;
  Vectors load_reversed(const Inst&load), load_one_by_one(ValueId pointer, Elem elem);
  bool store_one_by_one(ValueId pointer, Elem elem, const Vectors& data, int64_t disp);
  std::vector<int64_t> lane_distances(ValueId pointer) const;
  void store_reversed(ValueId mask, ValueId pointer, Elem elem, const Vectors& data);
  void store_lanes(const Vectors& masks, const Vectors& addresses, const Vectors& data, Elem elem);
  void store_indexed_lanes(const Indexed& at, const Vectors& data, Elem elem);
  void store_local_lanes(ValueId mask, ValueId pointer, const Vectors& data, Elem elem, int64_t disp = 0);
  void scatter(ValueId mask, ValueId pointer, Elem elem, const Vectors& data, int64_t disp = 0);
  void scatter_indexed(const Vectors& masks, const Indexed& at, Elem elem, const Vectors& data);
  bool known_nonempty(ValueId mask) const, known_full(ValueId mask) const;
  VecType run_type(ValueId mask, size_t k, unsigned size, ValueId& lanes) const;

  // --- private memory (lower_private.cpp)
  PrivateSum private_sum(ValueId pointer) const;
  RunStart private_place(ValueId pointer);
  ValueId safe_private_base(ValueId mask, ValueId pointer, const RunStart& at);
  Indexed private_index(ValueId pointer, Elem elem);
  Vectors private_load(ValueId mask, ValueId pointer, Elem elem);
  void private_store(ValueId mask, ValueId pointer, Elem elem, const Vectors& data);

  // --- packed waves (lower_rows.cpp)
  struct RowPiece;
  Vectors steps_along(size_t dim, ValueId id), row_addresses(ValueId pointer);
  bool is_contiguous_in_rows(ValueId pointer, Elem elem) const;
  std::vector<RowPiece> row_pieces(Elem elem) const;
  ValueId put_in(ValueId whole, ValueId piece, const RowPiece& p);
  ValueId mask_of(ValueId mask, const RowPiece&p), cut_out(ValueId whole, const RowPiece&p);
  Vectors load_rows(ValueId mask, ValueId pointer, Elem elem);
  void store_rows(ValueId mask, ValueId pointer, Elem elem, const Vectors& data);

  // --- lanes at known offsets (lower_patterns.cpp)
  std::optional<std::vector<Window>> windows(ValueId pointer) const;
  std::vector<uint8_t> lanes_by_place(const Window& window, unsigned vector) const;
  ValueId mask_by_place(ValueId lanes, const Window& window, unsigned vector);
  /// Empty, or false, if the offsets are unknown or too far apart.
  Vectors load_windows(ValueId mask, ValueId pointer, Elem elem);
  bool store_windows(ValueId mask, ValueId pointer, Elem elem, const Vectors& data);

  // --- constant tables in registers (lower_tables.cpp)
  std::optional<ConstantTable> table_of(ValueId pointer, Elem elem);
  Vectors table_load(ValueId pointer, Elem elem);  // empty if there is none
  ValueId table_vector(int64_t start);

  // --- interleaved lanes (lower_interleaved.cpp)
  friend class InterleavedCode;
  friend class SmallCode;
  bool interleaved(InstId i), gathers(ValueId pointer, Elem elem);
  ValueId spread_mask(ValueId lanes, const std::vector<uint8_t>& from);

  // --- lanes that are likely near (lower_near.cpp)
  NearForm near_form(ValueId pointer, Elem elem) const;
  Vectors near_load(const Inst&load, const Access&far), runs_and_gathers(const Inst&load, const Indexed&at);
  bool near_store(ValueId mask, ValueId pointer, Elem elem, const Vectors& data);
  ValueId near_index(ValueId pointer, int64_t size) const, or_idle(ValueId far, ValueId lanes);
  Vectors distances(ValueId index), starts_of_runs(ValueId mask, const Indexed&at, Elem elem);
  Vectors load_runs(ValueId mask, const Vectors& starts, Elem elem);
  bool runs_are_full(ValueId p) const, lacks_masks(Elem elem) const, gathers_parts(const Inst&load) const;
  ValueId any_lane(const Vectors& masks, Predicate p, const Vectors& values, ValueId limit);
  ValueId not_in_runs(ValueId mask, ValueId index, bool all), outside_window(ValueId mask, ValueId index);
  NearChoice branch_on_near(ValueId far);

  // --- bytes and masks of whole waves (lower_bytes.cpp)
  bool is_whole(ValueId v) const;
  ValueId whole(ValueId v);
  ValueId joined_masks(const Vectors&parts), joined_bytes(const Vectors&parts);
  const Vectors& split(ValueId v);
  ValueId whole_from_bool(ValueId truth), whole_mask_op(const Inst&inst);
  ValueId byte_value(const Inst&inst), byte_comparison(const Inst&inst);
  bool whole_op(const Inst& inst);

  // --- atomics, barriers and fences (lower_sync.cpp)
  struct AtomicAccess;
  void atomic(const Inst&), uniform_atomic(const Inst&), fence(const Inst&), barrier(const Inst&);
  ValueId read_modify_write(const AtomicAccess& a, ValueId set, unsigned bit, ValueId address, ValueId value,
                            ValueId desired);
  Vectors offsets_to_update(const AtomicAccess&), addresses_to_update(const AtomicAccess&),
      atomic_by_lane(const AtomicAccess&a);
  bool atomic_compressed(const AtomicAccess&a), atomic_at_once(const AtomicAccess&a, Lowered&r);
  ValueId reduce(const AtomicAccess&a), wave_bits(ValueId mask);
  Vectors prefix_sums(const AtomicAccess&a, ValueId&total), masked_values(const AtomicAccess&a);

  unsigned lanes_per_part() const { return bytes_ / 4; }
  VecType vec32() const { return {bytes_, 32}; }
  VecType vec64() const { return {bytes_, 64}; }

  const Function& w;
  Function m_;
  Emit e;
  AnalysisCache analyses_;
  const Cfg& cfg_;
  const DominatorTree& tree_;
  const LaneLayout layout_;
  std::vector<Shape> shapes_;
  std::vector<std::optional<LanePattern>> patterns_;
  std::vector<NeighbourGuess> guesses_;
  SnanAnalysis quiet_;
  std::map<std::pair<ValueId, BlockId>, Vectors> quieted_;                               // by machine block
  std::map<std::tuple<ValueId, uint64_t, bool, unsigned, BlockId>, ValueId> quotients_;  // by constants
  std::map<std::pair<ValueId, BlockId>, ValueId> extended_;  // indices with 64 bits, by block
  unsigned bytes_, count_;                                   // of one part; parts of 32-bit elements
  ByteLanes byte_lanes_;
  SmallState small_;
  bool dense_ = false, full_waves_ = false;  // masks of whole waves; all lanes of all waves are work-items
  bool stops_, moves_;                       // at barriers; from wave to wave of a group
  bool small_buffers_, streams_;             // as X64Options says
  std::vector<Lowered> values_;
  std::vector<bool> lane_used_;  // uniform values that a lane operation reads
  // Uniform divisors of unsigned (0) or signed (1) lane values; inverses are computed at the definition.
  std::vector<bool> divisor_[2];
  std::map<std::pair<ValueId, bool>, ValueId> inverses_;
  std::vector<bool> used_, needed_;  // values that are an operand or an argument; not only an address
  // Values of which 32-bit words are made by `sext`; those with other uses; those loaded as such words.
  std::vector<bool> sign_extended_, used_otherwise_, signed_loads_;
  std::vector<BlockId> block_of_, order_;  // machine blocks by wave block; in layout order
  std::vector<BlockId> rare_, guarded_;  // for some waves: with idle lanes, far places ...; bodies of guards
  std::vector<ValueId> block_mask_;      // by wave block: a mask known to be non-empty, or none
  std::map<std::pair<ValueId, BlockId>, ValueId> any_bits_;
  std::map<std::tuple<ValueId, ValueId, int64_t, BlockId>, ValueId> addresses_;  // by base, index, scale
  std::map<std::pair<Elem, BlockId>, ValueId> memory_;                           // by machine block
  std::map<std::tuple<ValueId, uint32_t, BlockId>, ValueId> private_addresses_;
  std::map<ValueId, std::pair<BlockId, std::vector<ValueId>>> distances_;  // by wave block
  std::map<std::tuple<ValueId, ValueId, BlockId>, ValueId> outside_;       // by mask, index and wave block
  std::map<std::tuple<ValueId, ValueId, bool, BlockId>, ValueId> not_in_runs_;  // and: all must be active
  std::map<std::pair<ValueId, BlockId>, ValueId> mask_words_;                   // as vectors
  // By value and machine block: wholes joined, or parts split, in that block.
  std::map<std::pair<ValueId, BlockId>, ValueId> wholes_;
  std::map<std::pair<ValueId, BlockId>, std::vector<ValueId>> splits_;
  std::map<int64_t, ValueId> table_vectors_;  // by the byte of the constants where they start
  std::vector<InstId> table_loads_;           // for the entry block, behind the address of the constants
  InterleavedAccesses interleaved_;
  std::map<std::tuple<ValueId, std::vector<uint8_t>, BlockId>, ValueId> spread_masks_;  // by mask and lanes
  BlockId wave_block_;
};

}  // namespace kc::x64
