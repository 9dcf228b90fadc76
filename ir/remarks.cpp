// SPDX-License-Identifier: Apache-2.0
#include "ir/remarks.h"

#include <algorithm>
#include <tuple>

namespace kc {

void Remarks::add(Remark remark) {
  if (remark.loc.line == 0 || !wants(remark.pass)) return;
  std::erase_if(remark.notes, [](const RemarkNote& n) { return n.loc.line == 0; });
  list_.push_back(std::move(remark));
}

std::vector<Remark> Remarks::sorted() const {
  std::vector<Remark> all = list_;
  auto key = [](const Remark& r) { return std::tie(r.loc.file, r.loc.line, r.loc.column, r.pass, r.text); };
  std::ranges::stable_sort(all, [&](const Remark& a, const Remark& b) { return key(a) < key(b); });
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

}  // namespace kc
