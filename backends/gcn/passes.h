// SPDX-License-Identifier: Apache-2.0
// The passes of this backend, one row each, and what they work on.
#pragma once

#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backends/gcn/gcn.h"
#include "backends/gcn/isa/models.h"
#include "backends/gcn/machine.h"
#include "passes/pass_runner.h"

namespace kc::gcn {

/// A kernel on its way from a wave function to assembly.
struct GcnState {
  const Function& wave;  // after selection only its signature and objects are of interest
  const MachineModel& model;
  uint32_t limit = 0;  // vector registers that each wave of a group may have
  GcnCode& code;       // with the machine function in `allocated`
  const GcnTarget& options;
  Remarks* remarks = nullptr;
  enum Form : uint8_t { Selected, Allocated, Instructions, Printed } form = Selected;
  std::set<uint32_t> same{};  // vector registers (by value) that are equal in all active lanes
  Allocation scalars{}, vectors{};
  Frame frame{};
  uint32_t first_vector = 0;  // register behind those that hold spilled scalars
  std::vector<MachineBlock> blocks{};

  Function& f() const { return *code.allocated; }
  std::string_view name() const { return wave.name; }
  std::string_view comment() const { return ";"; }
  std::string_view extension() const { return form < Instructions ? "kir" : "s"; }
  size_t instructions() const;
  std::string text() const;
  void check(std::string_view pass) const;
  void passed(std::string_view pass) const;
};

std::span<const MachinePassRow<GcnState>> gcn_pass_table();
/// More than so many registers would leave no room for all waves of a group of that many work-items.
uint32_t register_limit(const MachineModel& model, uint64_t items);

}  // namespace kc::gcn
