// SPDX-License-Identifier: Apache-2.0
#include "driver/grade/waves.h"

#include <fmt/format.h>

namespace kc {

std::string why_no_question_of_masks(const Function& thread) {
  if (!thread.objects.empty()) return "it has memory besides its buffers";
  for (BlockId b : thread.layout)
    for (InstId i : thread.block(b).insts) {
      const Inst& inst = thread.inst(i);
      const OpInfo& row = info(inst.op);
      const bool elementwise = row.effects == Effects::None && (row.dialects & InWave);
      const bool branches = inst.op == Op::br || inst.op == Op::br_if || inst.op == Op::ret;
      if (!elementwise && !branches && inst.op != Op::load && inst.op != Op::store)
        return fmt::format("it has the operation '{}'", row.name);
    }
  return "";
}

std::string why_no_wave(const LabFile& lab, const Function& made) {
  if (made.dialect != Dialect::Wave)
    return fmt::format("it leaves a function of the {} dialect, and the lab asks for wave IR",
                       to_string(made.dialect));
  if (made.width != lab.width)
    return fmt::format("its waves have {} lanes, and those of the lab have {}", made.width, lab.width);
  const auto& params = made.params;
  if (params.empty() || params.back().role != ParamRole::EntryMask)
    return "its last parameter is not the mask of the lanes: {\"type\": \"mask\", \"role\": \"mask\"}";
  return "";
}

}  // namespace kc
