// SPDX-License-Identifier: Apache-2.0
// The passes of this backend, one row each, and what they work on.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "backends/regalloc/regalloc.h"
#include "backends/x64/assembly.h"
#include "backends/x64/x64.h"
#include "passes/pass_runner.h"

namespace kc::x64 {

/// A kernel on its way from a wave function to bytes.
struct X64State {
  const Function* wave;  // behind selection only its signature and objects are of interest
  const X64Options& options;
  X64Code& code;
  Remarks* remarks = nullptr;
  std::unique_ptr<Function>* owner = nullptr;  // of `wave`, which selection replaces by its signature
  enum Form : uint8_t { Selected, Allocated, Instructions } form = Selected;
  Function machine{};
  Allocation allocation{};
  Assembly assembly{};

  std::string_view name() const { return wave->name; }
  std::string_view comment() const { return form < Instructions ? ";" : "#"; }
  std::string_view extension() const { return form < Instructions ? "kir" : "s"; }
  size_t instructions() const;
  std::string text() const;
  void check(std::string_view pass) const;
  void passed(std::string_view pass);
};

std::span<const MachinePassRow<X64State>> x64_pass_table();
/// Settings of the note about the target: facts about the wave function that are not seen in a machine
/// function.
inline constexpr std::string_view kSeesGroups = "sees_groups", kTakesRows = "takes_rows",
                                  kGroupsMeet = "groups_meet", kWholeGroups = "whole_groups";

}  // namespace kc::x64
