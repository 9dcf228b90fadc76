// SPDX-License-Identifier: Apache-2.0
#include "driver/explore/record.h"

#include <fmt/format.h>

#include <algorithm>

#include "driver/commands/simulate.h"
#include "driver/explore/graph.h"
#include "driver/explore/json_text.h"
#include "driver/explore/stages.h"
#include "driver/explore/waits.h"
#include "host/elements.h"
#include "ir/text.h"

namespace kc {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kVersion = 1;
// Bounds: of the steps of a warp, of the warps of a scheme, and of the values of lanes.
constexpr size_t kMostSteps = 10'000, kMostWarps = 4, kMostValues = 30'000;

std::string_view order_of(WarpScheme scheme) {
  switch (scheme) {
    case WarpScheme::TfStack:
      return "Next is the block of highest priority among those where work-items wait.";
    case WarpScheme::TfSandy:
      return "The same priorities, but next is the first block where some might wait.";
    default:
      return "A stack: the arms of a branch execute one after the other, up to its immediate post-dominator.";
  }
}

class RecordMaker {
 public:
  RecordMaker(const Session& session, const Options& options)
      : s_(session),
        o_(options),
        remarks_(divergence_remarks(session)),
        stages_(session, options, remarks_) {}

  std::expected<void, DriverError> launch(std::string_view source, const MachineCode& machines) {
    auto found = find_costs(s_, o_, remarks_, source);
    if (!found) return std::unexpected(found.error());
    findings_ = findings_of(*found);
    simulated_ = print(*s_.program.optimised);
    stages_.look_for(simulated_);
    stages_.add_front_end(source);
    stages_.add_ir();
    stages_.add_wanted(*s_.program.optimised);
    stages_.add_regions();
    for (std::string_view name : machines.targets)
      stages_.add_machine(*find_target(name), machines, registers_);
    notes_ = stages_.notes();
    if (machines.targets.empty())
      notes_.push_back(
          "Code of machines and their registers are left out: the compiler that made this has no machines. "
          "kernelc explore shows them.");
    simulations();
    launch_ = launch_text();
    return {};
  }

  void without_launch(std::string_view source) {
    stages_.add_front_end(source);
    stages_.add_ir();
    notes_ = stages_.notes();
  }

  /// `stats`: what kernelc stats prints, or null.
  std::string text(std::string_view source, const Json& stats) const {
    std::string out = "{";
    auto add = [&](std::string_view key, const Json& value) {
      add_json_key(out, key), out += value.dump(-1, ' ', false, Json::error_handler_t::replace);
    };
    add("version", kVersion);
    add("kernel", kernel_);
    add("launch", launch_);
    add("file", file_name());
    add_json_key(out, "source"), add_json_string(out, source);
    add_json_key(out, "stages"), out += '[', out += stages_.json(), out += ']';
    add("traces", traces_);
    add("costs", costs_);
    add("findings", findings_);
    add("registers", registers_);
    add("notes", notes_);
    add("stats", stats);
    return out + "}";
  }

 private:
  std::string file_name() const { return o_.file.substr(o_.file.rfind('/') + 1); }
  std::string launch_text() const {
    auto sizes = [&](const std::array<uint64_t, 3>& n) {
      return fmt::format("{}", fmt::join(n.begin(), n.begin() + std::max<uint32_t>(s_.spec.dims, 1), ","));
    };
    std::string text = fmt::format("--global {} --local {}", sizes(s_.spec.global), sizes(s_.spec.local));
    for (const std::string& arg : o_.args) text += fmt::format(" --arg {}", arg);
    return text;
  }

  void simulations() {
    const Function& f = *s_.program.optimised;
    const std::vector<std::string> labels = block_labels(simulated_);
    const std::vector<uint32_t> first_lines = block_lines(f);
    Json blocks = Json::array();
    std::vector<size_t> number(f.block_count());
    for (size_t n = 0; n < f.layout.size(); ++n) {
      number[f.layout[n].index] = n;
      blocks.push_back({{"label", labels[n]}, {"line", first_lines[n]}});
    }
    for (WarpScheme scheme : {WarpScheme::Ipdom, WarpScheme::TfStack, WarpScheme::TfSandy}) {
      std::map<uint64_t, Warp> warps;
      WaitCounts waits(f);
      const Simulated s =
          simulate_launch(f, s_, scheme, o_.warp, o_.max_steps,
                          [&](uint64_t warp, BlockId block, const LaneSet& lanes, const WarpState& state) {
                            Warp& w = warps[warp];
                            if (warp == 0) w.add_values(f, block, lanes, o_.warp, state);
                            w.add(number[block.index], lanes, warp < kMostWarps);
                            waits.add(block, lanes.size(), o_.warp, state.waiting());
                          });
      if (!s.problem.empty()) {
        notes_.push_back(fmt::format("{}: {}", s.scheme, s.problem));
        continue;
      }
      traces_.push_back(trace_of(s, scheme, blocks, warps));
      waits.write(traces_.back(), number);
      if (stages_.place()) traces_.back()["stage"] = *stages_.place();
      Json lines = Json::array();
      for (const auto& [line, slots] : s.lines)
        if (line) lines.push_back({{"line", line}, {"issued", slots.issued}, {"active", slots.active}});
      costs_.push_back({{"scheme", s.scheme},
                        {"issued", s.statistics.lane_slots},
                        {"active", s.statistics.active_lanes},
                        {"lines", std::move(lines)}});
    }
  }

  struct Warp {
    uint64_t total = 0, last = 0;
    std::vector<size_t> blocks{};
    std::vector<std::string> lanes{};
    void add(size_t block, const LaneSet& active, bool kept) {
      ++total;
      if (!kept || blocks.size() == kMostSteps) return;
      uint64_t mask = 0;
      for (uint32_t lane : active) mask |= uint64_t{1} << lane;
      lanes.push_back(!lanes.empty() && mask == last ? "" : fmt::format("{:x}", mask));
      blocks.push_back(block);
      last = mask;
    }

    // What the parameters of the block hold in the active lanes. Addresses of buffers differ from run to run.
    void add_values(const Function& f, BlockId block, const LaneSet& active, uint32_t width,
                    const WarpState& state) {
      Json names = Json::array(), rows = Json::array();
      for (ValueId p : f.block(block).params) {
        const Type type = f.type(p);
        if (type == kPtrGlobal || type == kPtrConstant) continue;
        const ElementType shown{.elem = type.is_pointer() ? Elem::I32 : type.elem};
        std::vector<std::string> row(width);
        for (uint32_t lane : active) row[lane] = format_element(shown, state.value(lane, p));
        names.push_back(print_operand(f, p));
        rows.push_back(std::move(row));
      }
      if (names.empty() || full) return;
      values_shown += names.size() * width;
      full = values_shown > kMostValues;
      if (!full) values.push_back({{"step", total}, {"names", std::move(names)}, {"rows", std::move(rows)}});
    }
    Json values = Json::array();
    size_t values_shown = 0;
    bool full = false;  // there were more
  };

  Json trace_of(const Simulated& s, WarpScheme scheme, const Json& blocks,
                const std::map<uint64_t, Warp>& warps) const {
    Json all = Json::array();
    std::vector<std::string> missing;
    bool cut = false;
    for (const auto& [number, warp] : warps) {
      if (warp.blocks.empty()) continue;
      cut |= warp.total > warp.blocks.size();
      all.push_back(
          {{"warp", number}, {"total", warp.total}, {"blocks", warp.blocks}, {"lanes", warp.lanes}});
      if (warp.values.empty()) continue;
      all.back()["values"] = warp.values;
      if (warp.full)
        missing.push_back(
            fmt::format("values of the first {} steps", size_t{warp.values.back()["step"]} + 1));
    }
    if (warps.size() > all.size())
      missing.push_back(fmt::format("the first {} of {} warps", all.size(), warps.size()));
    if (cut) missing.push_back(fmt::format("at most the first {} steps of each warp", kMostSteps));
    return {{"scheme", s.scheme},
            {"order", order_of(scheme)},
            {"lanes", o_.warp},
            {"sampled", missing.empty() ? "" : fmt::format("Shown: {}.", fmt::join(missing, ", "))},
            {"blocks", blocks},
            {"warps", std::move(all)}};
  }

  static Json findings_of(const Findings& found) {
    Json all = Json::array();
    for (const Finding& f : found.lines) {
      Json why = Json::array();
      for (const RemarkNote& n : f.why) why.push_back({{"line", n.loc.line}, {"text", n.text}});
      all.push_back({{"line", f.line},
                     {"title", f.title},
                     {"wasted", f.share},
                     {"why", std::move(why)},
                     {"out", f.ways_out}});
      Json waiting = Json::array();
      for (const Finding::Waiting& w : f.waiting) {
        waiting.push_back({{"line", w.line}, {"share", w.share}});
        if (w.branch) waiting.back().update({{"branch", w.branch}, {"decision", w.decision}});
      }
      all.back()["waiting"] = std::move(waiting);
    }
    return all;
  }

  const Session& s_;
  const Options& o_;
  const std::string kernel_ = s_.kernel->name;
  const std::vector<Remark> remarks_;
  StageList stages_;
  std::string launch_, simulated_;  // the options; the function that is simulated, as printed
  Json traces_ = Json::array(), costs_ = Json::array(), findings_ = Json::array(), registers_ = Json::array();
  std::vector<std::string> notes_;
};

}  // namespace

std::expected<std::string, DriverError> make_record(const Session& session, const Options& options,
                                                    std::string_view source, const MachineCode& machines,
                                                    const std::function<Json()>& stats) {
  RecordMaker record(session, options);
  if (auto made = record.launch(source, machines); !made) return std::unexpected(made.error());
  return record.text(source, stats ? stats() : Json());
}

std::string make_stages(const Session& session, const Options& options, std::string_view source) {
  RecordMaker record(session, options);
  record.without_launch(source);
  return record.text(source, nullptr);
}

}  // namespace kc
