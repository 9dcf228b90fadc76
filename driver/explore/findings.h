// SPDX-License-Identifier: Apache-2.0
// What divergence costs a launch: by source line under each scheme, why, and what would change it. All
// figures are measured by simulation; none is an estimate.
#pragma once

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "driver/session.h"
#include "sim/warp/warp_simulator.h"

namespace kc {

/// Lane slots: an instruction that a warp of 32 lanes issues takes 32, whether lanes are active or not.
struct SlotCount {
  uint64_t issued = 0, active = 0;
  uint64_t wasted() const { return issued - active; }
};

/// A run of the warp simulator.
struct Simulated {
  std::string scheme, problem;  // why there are no numbers
  WarpStatistics statistics{};
  std::map<uint32_t, SlotCount> lines;     // of the main file; 0: instructions without a line
  std::map<uint32_t, SlotCount> by_block;  // by block id
  uint64_t lane_slots() const { return statistics.lane_slots; }
};
using OnBlock = decltype(WarpRunOptions::on_state);
Simulated simulate_launch(const Function& thread, const Session& session, WarpScheme scheme, uint32_t width,
                          uint64_t max_steps, const OnBlock& on_block = {});

/// One place in the source whose instructions are issued for idle lanes.
struct Finding {
  uint32_t line = 0;
  SlotCount slots;
  double share = 0;             // of all slots of the launch that are idle here
  std::string title;            // one sentence
  std::vector<RemarkNote> why;  // from the branch where lanes part back to what differs between them
  std::vector<std::string> ways_out;
  /// Where the idle lanes are meanwhile. The most first; shares below a tenth are left out.
  struct Waiting {
    uint32_t line = 0;  // before which they wait; 0: they have ended
    double share = 0;   // of the idle slots
    /// The branch by which they came there while others did not, and what the source decides with it: "a
    /// break". 0 and empty: that is not known.
    uint32_t branch = 0;
    std::string decision{};
  };
  std::vector<Waiting> waiting{};
};

/// What another scheme, width or pass would make of the launch.
struct Alternative {
  std::string name, about;
  uint32_t width = 0;  // of its warps, if they are narrower
  uint64_t instructions = 0, slots = 0;
  double saves = 0;  // of the slots of the launch as it is; negative where it costs more
};

struct Findings {
  Simulated base;
  std::vector<Finding> lines;  // those that cost most, at most five
  std::vector<Alternative> alternatives;
};

/// `remarks`: of "uniformity", for the function that is simulated. `source`: the text of the file. An error
/// says why the launch cannot be simulated.
std::expected<Findings, DriverError> find_costs(const Session& session, const Options& options,
                                                const std::vector<Remark>& remarks, std::string_view source);

/// Remarks of "uniformity" about the function that is simulated.
std::vector<Remark> divergence_remarks(const Session& session);

}  // namespace kc
