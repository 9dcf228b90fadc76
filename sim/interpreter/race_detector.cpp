// SPDX-License-Identifier: Apache-2.0
#include "sim/interpreter/race_detector.h"

namespace kc {

void RaceDetector::conflict(const Past& past, const Access& now) {
  if (found_) return;
  if (!past.atomic || !now.atomic)
    found_ = OrderDependence{OrderDependence::Race, past.loc, now.loc};
  else if (past.op != now.op || past.order_shows || now.order_shows)
    found_ = OrderDependence{OrderDependence::AtomicOrder, past.loc, now.loc};
}

void RaceDetector::note(const Access& access) {
  if (!access.local && access.address - ignored_.base < ignored_.size) return;
  Pages& pages = access.local ? local_ : global_;
  Past now{access.item + 1,    access.group, access.epoch, access.atomic,
           access.order_shows, access.op,    access.loc};
  for (uint64_t at = access.address; at < access.address + access.bytes; ++at) {
    auto& page = pages[at / kPage];
    if (!page) page = std::make_unique<Page>();
    Byte& b = (*page)[at % kPage];
    if (unordered(b.writer, access)) conflict(b.writer, access);
    if (access.writes) {
      if (unordered(b.reader, access)) conflict(b.reader, access);
      if (unordered(b.other_reader, access)) conflict(b.other_reader, access);
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
