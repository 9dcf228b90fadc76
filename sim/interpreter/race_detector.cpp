// SPDX-License-Identifier: Apache-2.0
#include "sim/interpreter/race_detector.h"

namespace kc {
namespace {

// Sums and differences of one counter are the same in any order.
Op operation_of(Op op) { return op == Op::atomic_sub ? Op::atomic_add : op; }

}  // namespace

void RaceDetector::conflict(const Past& past, bool past_writes, const Access& now, uint64_t address) {
  const bool race = !past.atomic || !now.atomic;
  const bool same = past.op == operation_of(now.op);
  if (!race && same && !past.order_shows && !now.order_shows) return;
  if (!found_)
    found_ = OrderDependence{race ? OrderDependence::Race : OrderDependence::AtomicOrder, past.loc, now.loc};
  // Additions to a counter give each work-item another number, and in any order the same sum.
  const bool commute = !race && same && now.op != Op::atomic_xchg && now.op != Op::atomic_cmpxchg;
  uint8_t what = UnorderedBytes::Loads;
  if (past_writes && now.writes && !commute) what |= UnorderedBytes::Contents;
  if (now.local)
    local_bytes_.add(now.group, address, what);
  else
    global_bytes_.add(0, address, what);
}

void RaceDetector::note(const Access& access) {
  if (!access.local && access.address - ignored_.base < ignored_.size) return;
  Pages& pages = access.local ? local_ : global_;
  Past now{access.item + 1,         access.group, access.epoch, access.atomic, access.order_shows,
           operation_of(access.op), access.loc};
  for (uint64_t at = access.address; at < access.address + access.bytes; ++at) {
    auto& page = pages[at / kPage];
    if (!page) page = std::make_unique<Page>();
    Byte& b = (*page)[at % kPage];
    if (unordered(b.writer, access)) conflict(b.writer, true, access, at);
    if (access.writes) {
      if (unordered(b.reader, access)) conflict(b.reader, false, access, at);
      if (unordered(b.other_reader, access)) conflict(b.other_reader, false, access, at);
      b.writer = now;
    } else if (b.reader.item_plus_one == now.item_plus_one || b.reader.item_plus_one == 0) {
      b.reader = now;
    } else {
      b.other_reader = b.reader;
      b.reader = now;
    }
  }
}

}  // namespace kc
