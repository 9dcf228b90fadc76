// SPDX-License-Identifier: Apache-2.0
// Stores past the caches. A plain store first loads its line of the cache: a sum of two arrays into a third
// one moves four times the size of an array. Where the data are larger than the caches, and nothing reads
// what is stored, these stores move three.
#include "backends/x64/lower.h"

namespace kc::x64 {

/// Whether a full wave stores there past the caches: into a buffer. The form says that nothing is read there.
bool X64Lowering::streams_to(ValueId mask, ValueId pointer) const {
  return streams_ && known_full(mask) && w.type(pointer).elem == Elem::PtrGlobal;
}

/// Whole vectors, past the caches where these are aligned.
void X64Lowering::store_past_caches(ValueId address, int64_t disp, const std::vector<ValueId>& data,
                                    unsigned bytes) {
  const ValueId at = disp ? e.gpr(Op::x64_add, {address, e.number(disp)}) : address;
  const ValueId rest = e.gpr(Op::x64_and_, {at, e.number(bytes - 1)}, 4);
  const BlockId here = e.block, past = fresh_block("past"), plain = fresh_block("plain"),
                joined = fresh_block("joined");
  rare_.push_back(plain);
  e.block = here;
  e.branch(Op::x64_jcmp, {rest, e.number(0)}, 4, Equal, {past, {}}, {plain, {}});
  for (const BlockId b : {past, plain}) {
    e.block = b;
    int64_t offset = 0;
    for (ValueId v : data) {
      e.row(b == past ? Op::x64_vstore_stream : Op::x64_vstore, {at, v}, {}, {bytes, 0, 1, offset});
      offset += bytes;
    }
    e.jump(joined, {});
  }
  e.block = joined;
}

}  // namespace kc::x64
