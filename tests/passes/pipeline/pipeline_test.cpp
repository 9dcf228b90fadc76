// SPDX-License-Identifier: Apache-2.0
#include "passes/pipeline.h"
#include "passes/lower/lower_sub_groups.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "ir/text.h"

using namespace kc;

namespace {

constexpr std::string_view kText = R"(thread func @f(%0: ptr<global> out of i32) kernel {
  var $x.0: i32
  site 0: assert "" !2:3
b0:
  var_set 3:i32, var=$x.0
  %1: i32 = var_get var=$x.0
  %2: i32 = add %1, 1:i32
  store %0, %2
  trap %2, site=0
}
)";

PassState state() { return {.f = std::move(parse_module(kText)->functions[0])}; }
std::string order_error(std::string_view names, uint32_t initial) {
  auto rows = build_pipeline(split_pass_names(names), initial);
  return rows ? "" : rows.error();
}

}  // namespace

TEST_CASE("the tables are sound and the default pipelines are in order") {
  std::set<std::string_view> names;
  for (const PassRow& row : pass_table()) {
    CHECK(names.insert(row.name).second);
    CHECK(row.run != nullptr);
    CHECK(!row.summary.empty());
    CHECK((row.gives & row.kills) == 0);
    CHECK(find_pass(row.name) == &row);
  }
  for (auto kind : {PipelineKind::Optimize, PipelineKind::ThreadLower, PipelineKind::Wave})
    CHECK(build_pipeline(default_pipeline(kind), ThreadForm).has_value());
  CHECK(build_pipeline(default_pipeline(PipelineKind::SpirvLower), ThreadForm | Ssa | NoTraps).has_value());
}

TEST_CASE("every pass has a row in the folder's page and a before and after in its file") {
  auto read = [](const std::string& name) {
    std::ifstream in(std::string(KC_SOURCE_DIR "/passes/") + name);
    return std::string{std::istreambuf_iterator<char>(in), {}};
  };
  std::string page = read("README.md");
  for (const PassRow& row : pass_table()) {
    INFO(row.name);
    CHECK(page.find(fmt::format("\n| `{}` | ", row.name)) != std::string::npos);
    std::string file;
    for (const char* folder : {"transform", "lower", "restructure"})
      file += read(fmt::format("{}/{}.cpp", folder, row.name));
    CHECK(file.substr(0, file.find("#include")).find("==>") != std::string::npos);
  }
}

TEST_CASE("what thread IR has and no pass removes has a form in wave IR") {
  // Ops that lower_to_wave expands, or replaces by one with another name.
  const std::set<Op> written{Op::sub_group_local_id, Op::ballot, Op::broadcast_first, Op::sub_group_barrier,
                             Op::opaque_false};
  for (size_t n = 0; n < kOpCount; ++n) {
    const auto op = static_cast<Op>(n);
    const OpInfo& row = info(op);
    if (!(row.dialects & InThread) || (row.dialects & InWave) || row.expand || op == Op::trap) continue;
    if (written.contains(op) || is_sub_group_row(op)) continue;
    INFO(row.name);
    CHECK(find_op(Dialect::Wave, fmt::format("lane_{}", row.name)) != Op::Count_);
  }
}

// `i < 5 ? i + n : i`, twice: branches first, and equal once these are selects.
TEST_CASE("loads from addresses that if-conversion makes equal become one") {
  PassState state{
      .f = std::move(
          parse_module(
              R"(thread func @f(%0: ptr<global> a of i32 const, %1: ptr<global> out of i32, %2: i32 n) kernel {
b0:
  %3: i32 = global_id dim=0
  %4: i1 = slt %3, 5:i32
  br_if %4 -> b1, b2(%3)
b1:
  %5: i32 = add %3, %2
  br -> b2(%5)
b2(%6: i32):
  %7: ptr<global> = ptr_add %0, %6, scale=4
  %8: i32 = load %7
  %9: i1 = slt %3, 5:i32
  br_if %9 -> b3, b4(%3)
b3:
  %10: i32 = add %3, %2
  br -> b4(%10)
b4(%11: i32):
  %12: ptr<global> = ptr_add %0, %11, scale=4
  %13: i32 = load %12
  %14: i32 = add %8, %13
  %15: ptr<global> = ptr_add %1, %3, scale=4
  store %15, %14
  ret
}
)")
              ->functions[0])};
  REQUIRE(run_pipeline(state, default_pipeline(PipelineKind::Optimize)));
  const std::string text = print(*state.f);
  INFO(text);
  CHECK(text.contains(" load "));
  CHECK(text.find(" load ") == text.rfind(" load "));
}

TEST_CASE("a wrong order is refused before anything runs") {
  CHECK(order_error("mem2reg,lower_traps,reconverge", ThreadForm) == "");
  CHECK(order_error("mem2reg,reconverge", ThreadForm) ==
        "pass reconverge (number 2) needs NoTraps, which does not hold there");
  CHECK(order_error("reconverge", ThreadForm) ==
        "pass reconverge (number 1) needs Ssa, NoTraps, which do not hold there");
  CHECK(order_error("mem2reg,sas", ThreadForm) == "there is no pass 'sas'");
  PassState s = state();
  std::string_view wrong[] = {"mem2reg", "reconverge"};
  auto report = run_pipeline(s, wrong);
  REQUIRE_FALSE(report.has_value());
  CHECK(s.f->vars.size() == 1);
  std::string_view right[] = {"mem2reg"};
  CHECK(run_pipeline(s, right, {.print_after = {"nothing"}}).error().message == "there is no pass 'nothing'");
  CHECK(run_pipeline(s, right, {.stop_after = "nothing"}).error().message == "there is no pass 'nothing'");
}

TEST_CASE("properties are found by looking") {
  PassState s = state();
  CHECK(properties_of(s) == (ThreadForm | Expanded | NoObjects | NoSubGroups | Structured | PrivateLowered));
  REQUIRE(run_pipeline(s, std::vector<std::string_view>{"mem2reg", "lower_traps"}).has_value());
  CHECK(properties_of(s) == (ThreadForm | Ssa | NoTraps | Expanded | NoObjects | NoSubGroups | Reconverging |
                             Structured | PrivateLowered));
}

TEST_CASE("stages can be printed, dumped, timed and stopped at") {
  namespace fs = std::filesystem;
  PassState s = state();
  std::string printed;
  fs::path folder = fs::path(KC_BINARY_DIR) / "pipeline_test_dump";
  fs::remove_all(folder);
  PipelineOptions options{.print_after = {"mem2reg"},
                          .print = [&](std::string_view text) { printed += text; },
                          .stop_after = "instcombine",
                          .dump_dir = folder.string()};
  std::vector<std::string_view> names{"mem2reg", "instcombine", "dce"};
  auto report = run_pipeline(s, names, options);
  REQUIRE(report.has_value());
  CHECK(report->stopped);
  REQUIRE(report->times.size() == 2);
  CHECK(report->times[0].instructions_before == 5);
  CHECK(report->times[0].instructions_after == 3);
  CHECK(report->times[1].instructions_after == 2);
  CHECK(report->times[1].changed);
  CHECK(render_times(report->times).find("instcombine") != std::string::npos);
  CHECK(printed.starts_with("; after mem2reg: @f\nthread func @f("));
  CHECK(parse_module(printed).has_value());
  std::ifstream in(folder / "f.02-instcombine.kir");
  std::ostringstream dumped;
  dumped << in.rdbuf();
  CHECK(dumped.str() == print(*s.f));
  CHECK_FALSE(fs::exists(folder / "f.03-dce.kir"));

  std::string everything;
  options = {.print_after = {"all"}, .print = [&](std::string_view text) { everything += text; }};
  PassState t = state();
  REQUIRE(run_pipeline(t, names, options).has_value());
  CHECK(everything.find("; after dce: @f") != std::string::npos);
  options = {.dump_dir = "/dev/null/nowhere"};
  CHECK(run_pipeline(t, names, options).error().message.starts_with("cannot write /dev/null/nowhere"));
}
