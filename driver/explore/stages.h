// SPDX-License-Identifier: Apache-2.0
// The stages of a record: the forms of a kernel, in the order in which the compiler makes them. The lab makes
// them at each key stroke: they are written as JSON at once, what a pass leaves as it was is not printed, and
// graphs are those of the functions themselves.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "driver/explore/graph.h"
#include "driver/explore/record.h"
#include "driver/session.h"
#include "host/compile.h"

namespace kc {

class StageList {
 public:
  /// `remarks`: of "uniformity". All are kept by reference.
  StageList(const Session& session, const Options& options, const std::vector<Remark>& remarks);

  /// `function` as printed: `place` is that of the stage with this text, once it is there.
  void look_for(std::string function) { wanted_ = std::move(function); }
  std::optional<size_t> place() const { return place_; }

  /// Tokens and syntax tree; nothing of IR.
  void add_front_end(std::string_view source);
  /// Thread IR and wave IR after each pass.
  void add_ir();
  /// The function that is looked for, if it is not among the stages: the simulator runs it without melding.
  void add_wanted(const Function& f);
  /// Thread IR with structured control flow, as for Vulkan, and its regions.
  void add_regions();
  /// Machine functions after each pass, and the assembly. Registers go to `registers`.
  void add_machine(const TargetDesc& target, const MachineCode& machines, nlohmann::ordered_json& registers);

  /// A list of JSON, without its brackets.
  const std::string& json() const { return json_; }
  /// Sentences that say what is left out.
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  struct Stage {
    std::string_view name, dialect, text, target{};
    const Function* function = nullptr;  // for the graph; null: there is none
    std::string_view regions{};
  };
  void add(const Stage& stage, const std::vector<uint32_t>& lines);
  void add_same(std::string_view name, std::string_view target);
  void begin(std::string_view name, std::string_view dialect, std::string_view target);
  void see_ir(const PassStage& pass, const Function& f, bool may_differ);
  void see_machine(std::string_view printed, const TargetDesc& target, const MachineCode& machines,
                   nlohmann::ordered_json& registers);
  bool has_room(std::string_view text);
  void left_out(std::string_view what, const CompileError& why);
  CompileOptions options() const;

  const Session& s_;
  const Options& o_;
  const Causes causes_;
  std::string json_;
  std::string text_;          // of the last stage of IR
  std::string dialect_, of_;  // dialect and target of the last stage
  bool same_ = false;         // the next stage may be the same as the last
  std::vector<std::string> notes_;
  std::string wanted_;
  std::optional<size_t> place_;
  size_t count_ = 0;  // of stages
  size_t text_bytes_ = 0;
  bool full_ = false;
};

}  // namespace kc
