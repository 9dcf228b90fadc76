// SPDX-License-Identifier: Apache-2.0
// What the code of a submission that changes functions costs (docs/grade.md has the list of measures).
#pragma once

#include <expected>
#include <string>

#include "driver/grade/program_case.h"

namespace kc {

/// Why the measure cannot be taken in a lab of this kind, or empty: its name, or its scheme.
std::string wrong_measure(LabKind kind, const LabQuality& q);

/// The number of some form of the kernel. An error says why there is none.
std::expected<double, std::string> measure_of(const LabQuality& q, const ProgramCase& c, const Function& f,
                                              uint64_t max_steps);

}  // namespace kc
