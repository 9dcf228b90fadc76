// SPDX-License-Identifier: Apache-2.0
// Labs about masks: the submission makes the wave function of a thread function.
#pragma once

#include <string>

#include "driver/grade/lab_file.h"
#include "ir/function.h"

namespace kc {

/// Why a thread function is no question of such a lab, or empty. It has no memory but the buffers, no
/// operation that needs other work-items, no trap, and no switch: what is left is a matter of masks.
std::string why_no_question_of_masks(const Function& thread);

/// Why what a submission wrote is no wave function of the lab, or empty.
std::string why_no_wave(const LabFile& lab, const Function& made);

}  // namespace kc
