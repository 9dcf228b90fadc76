// SPDX-License-Identifier: Apache-2.0
// What stands for the solver in a build without one.
#include "tests/rewrites/smt.h"

namespace kc::rewrites {

struct Smt::State {};
Smt::Smt() = default;
Smt::~Smt() = default;
bool Smt::available() { return false; }
Smt::Answer Smt::refines(Terms&, TermId, TermId, unsigned) { return Unknown; }
std::vector<uint64_t> Smt::counterexample(const Terms&, const std::vector<TermId>&) { return {}; }
std::optional<uint64_t> Smt::value(const Terms&, TermId) { return std::nullopt; }

}  // namespace kc::rewrites
