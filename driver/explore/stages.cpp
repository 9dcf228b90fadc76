// SPDX-License-Identifier: Apache-2.0
#include "driver/explore/stages.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "driver/compiler.h"
#include "driver/explore/json_text.h"
#include "driver/explore/regions.h"
#include "frontend/frontend.h"
#include "ir/text.h"

namespace kc {
namespace {

// Of all texts of stages, in bytes.
constexpr size_t kMostText = 1'200'000;

std::string_view without_ends(std::string_view text) {
  while (text.ends_with('\n')) text.remove_suffix(1);
  return text;
}

// The line of "line:column" at the start of a word; 0 if it is none.
uint32_t line_of_word(std::string_view word) {
  uint32_t line = 0, column = 0;
  const char* end = word.data() + word.size();
  const auto row = std::from_chars(word.data(), end, line);
  if (row.ec != std::errc() || row.ptr == end || *row.ptr != ':') return 0;
  return std::from_chars(row.ptr + 1, end, column).ec == std::errc() ? line : 0;
}

// "line:column" begins a word of the lines of tokens and trees.
std::vector<uint32_t> lines_of_positions(std::string_view text) {
  std::vector<uint32_t> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    uint32_t row = 0;
    for (size_t at = 0; at < line.size() && !row; ++at)
      if (at == 0 || line[at - 1] == ' ' || line[at - 1] == '<' || line[at - 1] == '(')
        row = line_of_word(line.substr(at));
    lines.push_back(row);
  }
  return lines;
}

}  // namespace

StageList::StageList(const Session& session, const Options& options, const std::vector<Remark>& remarks)
    : s_(session), o_(options), causes_(causes_of(remarks)) {}

bool StageList::has_room(std::string_view text) {
  text_bytes_ += text.size();
  if (text_bytes_ <= kMostText) return true;
  if (!full_) notes_.push_back("Stages are left out: their texts are too long for a page.");
  full_ = true;
  return false;
}

void StageList::left_out(std::string_view what, const CompileError& why) {
  notes_.push_back(fmt::format("{} is left out: {}", what, why.message));
}

void StageList::begin(std::string_view name, std::string_view dialect, std::string_view target) {
  ++count_;
  add_comma(json_), json_ += '{';
  add_json_key(json_, "name"), add_json_string(json_, name);
  add_json_key(json_, "dialect"), add_json_string(json_, dialect);
  if (!target.empty()) add_json_key(json_, "target"), add_json_string(json_, target);
}

void StageList::add(const Stage& stage, const std::vector<uint32_t>& lines) {
  begin(stage.name, stage.dialect, stage.target);
  add_json_key(json_, "text"), add_json_string(json_, stage.text);
  add_json_key(json_, "lines"), add_json_numbers(json_, lines);
  if (stage.function) {
    const size_t before = json_.size();
    add_json_key(json_, "graph");
    if (!write_graph(json_, *stage.function, stage.text, causes_, stage.regions)) json_.resize(before);
  }
  json_ += '}';
  dialect_ = stage.dialect, of_ = stage.target, same_ = true;
}

void StageList::add_same(std::string_view name, std::string_view target) {
  if (!same_ || of_ != target || full_) return;
  begin(name, dialect_, target);
  json_ += ",\"same\":true}";
}

void StageList::add_front_end(std::string_view source) {
  if (o_.language == "ir" || o_.file.ends_with(".kir")) return;
  for (const bool tokens : {true, false}) {
    const std::string dump =
        tokens ? dump_tokens(source, frontend_options(o_)) : dump_ast(source, frontend_options(o_));
    const std::string_view text = without_ends(dump), name = tokens ? "tokens" : "ast";
    if (has_room(text)) add({.name = name, .dialect = name, .text = text}, lines_of_positions(text));
    same_ = false;
  }
}

CompileOptions StageList::options() const {
  Options o = o_;
  o.remarks = nullptr, o.meld = Meld::ByCost;
  CompileOptions options = compile_options(o);
  options.pipeline = {};
  return options;
}

void StageList::see_ir(const PassStage& pass, const Function& f, bool may_differ) {
  std::string now;
  if (may_differ || !same_) now = print(f);
  if (same_ && (now.empty() || now == text_)) return add_same(pass.pass, "");
  text_ = std::move(now);
  same_ = false;
  const std::string_view text = without_ends(text_);
  if (!has_room(text)) return;
  add({.name = pass.pass, .dialect = to_string(f.dialect), .text = text, .function = &f}, source_lines(text));
  if (text_ == wanted_) place_ = count_ - 1;
}

void StageList::add_ir() {
  CompileOptions watched = options();
  watched.pipeline.watch = [this](const PassStage& pass, const Function& f, bool may_differ) {
    see_ir(pass, f, may_differ);
  };
  auto compiler = KernelCompiler::start(*s_.program.source, watched);
  if (!compiler) return left_out("wave IR", compiler.error());
  auto wave = compiler->wave(interpreter_target(), {.width = o_.warp, .ids = ids_of(s_.spec)});
  if (!wave) left_out("wave IR", wave.error());
}

void StageList::add_wanted(const Function& f) {
  const std::string_view text = without_ends(wanted_);
  if (place_ || !has_room(text)) return;
  add({.name = "what is simulated",
       .dialect = to_string(f.dialect),
       .text = text,
       .target = "simulator",
       .function = &f},
      source_lines(text));
  place_ = count_ - 1;
  same_ = false;
}

void StageList::add_regions() {
  const TargetDesc& target = *find_target("vulkan");
  const WaveConfig config{.ids = {.lane_y = true, .lane_z = true}};
  auto compiler = KernelCompiler::start(*s_.program.source, options());
  if (!compiler || compiler->stopped()) return;
  auto thread = compiler->thread(target, config.ids);
  if (!thread) return left_out("structured control flow", thread.error());
  auto passed = compiler->lower_for_spirv(*thread, config);
  if (!passed) return left_out("structured control flow", passed.error());
  const std::string whole = print(*passed->function), regions = regions_of(*passed->function);
  const std::string_view text = without_ends(whole);
  if (!regions.empty() && has_room(text))
    add({.name = "structured control flow",
         .dialect = to_string(passed->function->dialect),
         .text = text,
         .target = target.name,
         .function = passed->function.get(),
         .regions = regions},
        source_lines(text));
  same_ = false;
}

// "; after PASS: @KERNEL", and the text, or " is unchanged".
void StageList::see_machine(std::string_view printed, const TargetDesc& target, const MachineCode& machines,
                            nlohmann::ordered_json& registers) {
  const size_t after = printed.find(" after "), end = printed.find('\n');
  const size_t colon = printed.find(": @", after);
  if (after == std::string_view::npos || colon == std::string_view::npos || end == std::string_view::npos)
    return;
  const std::string_view name = printed.substr(after + 7, colon - after - 7);
  if (printed.substr(0, end).ends_with(" is unchanged")) return add_same(name, target.name);
  const std::string_view text = without_ends(printed.substr(end + 1));
  std::string_view dialect = text.substr(0, text.find(' '));
  if (!text.substr(dialect.size()).starts_with(" func")) dialect = "assembly";
  same_ = false;
  if (dialect == "thread" || dialect == "wave" || !has_room(text)) return;
  Stage stage{.name = name, .dialect = dialect, .text = text, .target = target.name};
  std::optional<Module> module;
  if (dialect != "assembly")
    if (auto read = parse_module(text); read && read->functions.size() == 1) {
      module = std::move(*read);
      stage.function = module->functions.front().get();
      if (name == "allocate_registers" || name == "allocate_vectors")
        registers.push_back(machines.registers(*stage.function, target));
    }
  add(stage, source_lines(text));
}

void StageList::add_machine(const TargetDesc& target, const MachineCode& machines,
                            nlohmann::ordered_json& registers) {
  CompileOptions watched = options();
  watched.pipeline.print_after = {"all"};
  watched.pipeline.texts = std::make_shared<std::map<std::string, std::string, std::less<>>>();
  watched.pipeline.print = [&](std::string_view text) { see_machine(text, target, machines, registers); };
  auto compiler = KernelCompiler::start(*s_.program.source, watched);
  if (!compiler) return left_out(target.name, compiler.error());
  auto made = machines.assembly(std::move(*compiler), target, s_.spec);
  if (!made) return left_out(target.name, made.error());
  const std::string_view text = without_ends(*made);
  if (has_room(text))
    add({.name = fmt::format("{} assembly", target.name), .dialect = "assembly", .text = text}, {});
  same_ = false;
}

}  // namespace kc
