// SPDX-License-Identifier: Apache-2.0
#include "driver/explore/record.h"

#include <fmt/format.h>

#include <algorithm>

#include "driver/commands/simulate.h"
#include "driver/commands/stats.h"
#include "driver/compiler.h"
#include "driver/explore/graph.h"
#include "frontend/frontend.h"
#include "host/elements.h"
#include "ir/text.h"

namespace kc {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kVersion = 1;
// Bounds: of all texts of stages in bytes, of the steps of a warp, of the warps of a scheme, and of the
// values of lanes.
constexpr size_t kMostText = 1'200'000, kMostSteps = 10'000, kMostWarps = 4, kMostValues = 30'000;

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
  RecordMaker(const Session& session, const Options& options, const MachineCode& machines)
      : s_(session), o_(options), machines_(machines), remarks_(divergence_remarks(session)) {}

  std::expected<Json, DriverError> run(std::string_view source) {
    auto found = find_costs(s_, o_, remarks_, source);
    if (!found) return std::unexpected(found.error());
    front_stages(source);
    ir_stages();
    for (std::string_view name : machines_.targets) machine_stages(*find_target(name));
    if (machines_.targets.empty())
      notes_.push_back(
          "Code of machines and their registers are left out: the compiler that made this has no machines. "
          "kernelc explore shows them.");
    simulations();
    return record(source, launch(), findings(*found));
  }

  Json stages(std::string_view source) {
    front_stages(source);
    ir_stages();
    return record(source, "", Json::array());
  }

 private:
  Json record(std::string_view source, const std::string& launch, Json findings) {
    return {{"version", kVersion},
            {"kernel", s_.kernel->name},
            {"launch", launch},
            {"file", file_name()},
            {"source", source},
            {"stages", std::move(stages_)},
            {"traces", std::move(traces_)},
            {"costs", std::move(costs_)},
            {"findings", std::move(findings)},
            {"registers", std::move(registers_)},
            {"notes", std::move(notes_)},
            {"stats", nullptr}};
  }

  std::string file_name() const { return o_.file.substr(o_.file.rfind('/') + 1); }
  std::string launch() const {
    auto sizes = [&](const std::array<uint64_t, 3>& n) {
      return fmt::format("{}", fmt::join(n.begin(), n.begin() + std::max<uint32_t>(s_.spec.dims, 1), ","));
    };
    std::string text = fmt::format("--global {} --local {}", sizes(s_.spec.global), sizes(s_.spec.local));
    for (const std::string& arg : o_.args) text += fmt::format(" --arg {}", arg);
    return text;
  }

  bool has_room(std::string_view text) {
    text_bytes_ += text.size();
    if (text_bytes_ <= kMostText) return true;
    if (!full_) notes_.push_back("Stages are left out: their texts are too long for a page.");
    full_ = true;
    return false;
  }

  void front_stages(std::string_view source) {
    if (o_.language == "ir" || o_.file.ends_with(".kir")) return;
    for (const bool tokens : {true, false}) {
      std::string text =
          tokens ? dump_tokens(source, frontend_options(o_)) : dump_ast(source, frontend_options(o_));
      while (text.ends_with('\n')) text.pop_back();
      if (has_room(text))
        stages_.push_back({{"name", tokens ? "tokens" : "ast"},
                           {"dialect", tokens ? "tokens" : "ast"},
                           {"text", text},
                           {"lines", lines_of_positions(text)}});
    }
  }

  // "line:column" begins a word of the lines of tokens and trees.
  static std::vector<uint32_t> lines_of_positions(std::string_view text) {
    std::vector<uint32_t> lines;
    while (!text.empty()) {
      const size_t end = std::min(text.find('\n'), text.size());
      const std::string line(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
      unsigned row = 0, column = 0;
      bool found = false;
      for (size_t at = 0; at < line.size() && !found; ++at)
        if (at == 0 || line[at - 1] == ' ' || line[at - 1] == '<' || line[at - 1] == '(')
          found = std::sscanf(line.c_str() + at, "%u:%u", &row, &column) == 2;
      lines.push_back(found ? row : 0);
    }
    return lines;
  }

  // Passes print each stage to here; those of a target's own path to machine code alone if one is given.
  CompileOptions watched(const TargetDesc* target) {
    Options o = o_;
    o.remarks = nullptr, o.meld = Meld::ByCost;
    CompileOptions options = compile_options(o);
    options.pipeline = {};
    options.pipeline.print_after = {"all"};
    options.pipeline.texts = std::make_shared<std::map<std::string, std::string, std::less<>>>();
    options.pipeline.print = [this, target](std::string_view text) { stage(text, target); };
    return options;
  }

  // "; after PASS: @KERNEL", and the text, or " is unchanged".
  void stage(std::string_view printed, const TargetDesc* target) {
    const size_t after = printed.find(" after "), end = printed.find('\n');
    const size_t colon = printed.find(": @", after);
    if (after == std::string_view::npos || colon == std::string_view::npos || end == std::string_view::npos)
      return;
    const std::string name(printed.substr(after + 7, colon - after - 7));
    const bool same = printed.substr(0, end).ends_with(" is unchanged");
    std::string_view text = printed.substr(end + 1);
    while (text.ends_with('\n')) text.remove_suffix(1);
    std::string dialect(text.substr(0, text.find(' ')));
    if (!text.substr(dialect.size()).starts_with(" func")) dialect = "assembly";
    const bool of_machine = dialect != "thread" && dialect != "wave";
    if (same) {
      if (stages_.empty() || last_target_ != target || full_) return;
      Json stage{{"name", name}, {"dialect", stages_.back()["dialect"]}, {"same", true}};
      if (target) stage["target"] = target->name;
      stages_.push_back(std::move(stage));
      return;
    }
    last_target_ = nullptr;
    if ((target && !of_machine) || !has_room(text)) return;
    last_target_ = target;
    Json stage{{"name", name}, {"dialect", dialect}, {"text", text}, {"lines", source_lines(text)}};
    if (target) stage["target"] = target->name;
    if (dialect != "assembly")
      if (auto module = parse_module(text); module && module->functions.size() == 1) {
        const Function& f = *module->functions.front();
        if (Json graph = graph_of(f, text, remarks_); !graph.is_null()) stage["graph"] = std::move(graph);
        if (target && (name == "allocate_registers" || name == "allocate_vectors"))
          registers_.push_back(machines_.registers(f, *target));
      }
    stages_.push_back(std::move(stage));
  }

  void ir_stages() {
    auto compiler = KernelCompiler::start(*s_.program.source, watched(nullptr));
    if (!compiler) return left_out("wave IR", compiler.error());
    auto wave = compiler->wave(interpreter_target(), {.width = o_.warp, .ids = ids_of(s_.spec)});
    if (!wave) left_out("wave IR", wave.error());
  }

  void machine_stages(const TargetDesc& target) {
    auto compiler = KernelCompiler::start(*s_.program.source, watched(&target));
    if (!compiler) return left_out(target.name, compiler.error());
    auto made = machines_.assembly(std::move(*compiler), target, s_.spec);
    if (!made) return left_out(target.name, made.error());
    std::string assembly = std::move(*made);
    while (assembly.ends_with('\n')) assembly.pop_back();
    if (has_room(assembly))
      stages_.push_back({{"name", fmt::format("{} assembly", target.name)},
                         {"dialect", "assembly"},
                         {"text", assembly},
                         {"lines", Json::array()}});
  }

  void left_out(std::string_view what, const CompileError& why) {
    notes_.push_back(fmt::format("{} is left out: {}", what, why.message));
  }

  void simulations() {
    const Function& f = *s_.program.optimised;
    const std::string text = print(f);
    const Json graph = graph_of(f, text, remarks_);
    Json blocks = Json::array();
    std::vector<size_t> number(f.block_count());
    for (size_t n = 0; n < f.layout.size(); ++n) {
      number[f.layout[n].index] = n;
      blocks.push_back(
          {{"label", graph["blocks"][n]["label"]}, {"line", graph["blocks"][n].value("line", 0)}});
    }
    for (WarpScheme scheme : {WarpScheme::Ipdom, WarpScheme::TfStack, WarpScheme::TfSandy}) {
      std::map<uint64_t, Warp> warps;
      const Simulated s =
          simulate_launch(f, s_, scheme, o_.warp, o_.max_steps,
                          [&](uint64_t warp, BlockId block, const LaneSet& lanes, const WarpState& state) {
                            Warp& w = warps[warp];
                            if (warp == 0) w.add_values(f, block, lanes, o_.warp, state);
                            w.add(number[block.index], lanes, warp < kMostWarps);
                          });
      if (!s.problem.empty()) {
        notes_.push_back(fmt::format("{}: {}", s.scheme, s.problem));
        continue;
      }
      traces_.push_back(trace_of(s, scheme, blocks, warps));
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

  static Json findings(const Findings& found) {
    Json all = Json::array();
    for (const Finding& f : found.lines) {
      Json why = Json::array();
      for (const RemarkNote& n : f.why) why.push_back({{"line", n.loc.line}, {"text", n.text}});
      all.push_back({{"line", f.line},
                     {"title", f.title},
                     {"wasted", f.share},
                     {"why", std::move(why)},
                     {"out", f.ways_out}});
    }
    return all;
  }

  const Session& s_;
  const Options& o_;
  const MachineCode machines_;
  std::vector<Remark> remarks_;
  Json stages_ = Json::array(), traces_ = Json::array(), costs_ = Json::array(), registers_ = Json::array(),
       notes_ = Json::array();
  const TargetDesc* last_target_ = nullptr;
  size_t text_bytes_ = 0;
  bool full_ = false;
};

}  // namespace

std::expected<Json, DriverError> make_record(Session session, const Options& options, std::string_view source,
                                             const MachineCode& machines) {
  auto record = RecordMaker(session, options, machines).run(source);
  if (record) (*record)["stats"] = statistics_of(options, std::move(session));
  return record;
}

Json make_stages(const Session& session, const Options& options, std::string_view source) {
  return RecordMaker(session, options, {}).stages(source);
}

}  // namespace kc
