// SPDX-License-Identifier: Apache-2.0
#include "driver/grade/lab_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "driver/grade/toml_reader.h"
#include "driver/usage_errors.h"
#include "passes/pipeline.h"

namespace kc {
namespace {

constexpr std::string_view kKinds[] = {"answers",    "kernel",     "assembly", "pass",
                                       "dominators", "divergence", "wave",     "registers"};
constexpr int64_t kMostPoints = 1'000'000;
constexpr int64_t kWidestWave = 64;
constexpr int64_t kMostRegisters = 200;  // of the 256 that the machine has

uint64_t mixed(uint64_t& state) {  // splitmix64
  uint64_t z = state += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

// A drawn number as a launch names it.
struct DrawnNumber {
  std::string name;
  int64_t factor = 1;
};

// {NAME} or {NAME*FACTOR}, without the braces.
std::optional<DrawnNumber> drawn_number(std::string_view text) {
  DrawnNumber p{.name = std::string(text.substr(0, text.find('*')))};
  const size_t star = text.find('*');
  if (p.name.empty()) return {};
  if (star == std::string_view::npos) return p;
  const std::string_view digits = text.substr(star + 1);
  auto [end, ec] = std::from_chars(digits.data(), digits.data() + digits.size(), p.factor);
  if (ec != std::errc{} || end != digits.data() + digits.size() || p.factor < 1 || p.factor > 1 << 20)
    return {};
  return p;
}

// Puts numbers in place of their names; an error says which name is wrong.
std::expected<std::string, std::string> filled_in(std::string_view text, const Draw& numbers) {
  std::string out;
  while (!text.empty()) {
    const size_t open = std::min(text.find('{'), text.size());
    out += text.substr(0, open);
    text.remove_prefix(open);
    if (text.empty()) break;
    const size_t close = text.find('}');
    if (close == std::string_view::npos) return std::unexpected("a '{' of the launch is not closed");
    const std::string_view inside = text.substr(1, close - 1);
    auto p = drawn_number(inside);
    if (!p) return std::unexpected(fmt::format("'{{{}}}' is neither {{NAME}} nor {{NAME*FACTOR}}", inside));
    auto number = numbers.find(p->name);
    if (number == numbers.end())
      return std::unexpected(fmt::format("'{}' of the launch is not a number that 'draw' names", p->name));
    out += std::to_string(number->second * p->factor);
    text.remove_prefix(close + 1);
  }
  return out;
}

std::string check_launch(const LabTest& test) {
  auto words = filled_in(test.launch, draw_numbers(test, 0, 0));
  return words ? "" : words.error();
}

std::vector<std::string> read_passes(TomlTable& t, std::string_view key) {
  std::vector<std::string> passes = t.strings(key);
  std::vector<std::string_view> known;
  for (const PassRow& row : pass_table()) known.push_back(row.name);
  for (const std::string& name : passes)
    if (!find_pass(name)) t.complain(key, unknown_name("pass", name, known));
  return passes;
}

uint32_t read_properties(TomlTable& t, std::string_view key) {
  uint32_t set = 0;
  std::vector<std::string_view> known;
  for (const PropertyRow& row : property_table()) known.push_back(row.name);
  for (const std::string& name : t.strings(key)) {
    const auto row = std::ranges::find(property_table(), name, &PropertyRow::name);
    if (row == property_table().end())
      t.complain(key, unknown_name("property", name, known));
    else
      set |= row->bit;
  }
  return set;
}

uint32_t read_registers(TomlTable& t, LabKind kind) {
  return kind == LabKind::Registers ? static_cast<uint32_t>(t.integer("registers", 1, kMostRegisters)) : 0;
}

LabTest read_test(TomlTable& t, LabKind kind) {
  LabTest test{.name = t.string("name"),
               .points = static_cast<uint32_t>(t.integer("points", 0, kMostPoints)),
               .launch = {}};
  const bool random = runs_programs(kind) && !t.has("program");
  if (!random) test.launch = t.string("launch");
  if (kind == LabKind::Divergence) test.exact = t.boolean("exact", false);
  test.registers = read_registers(t, kind);
  if (!random && (kind == LabKind::Answers || runs_programs(kind))) {
    test.program = t.string("program");
  } else {
    if (!random) test.draw = t.ranges("draw");
    if (kind == LabKind::Pass) test.lacking = read_properties(t, "lacking");
    test.hidden = t.boolean("hidden", false);
    test.count = static_cast<uint32_t>(t.integer("count", 1, 10'000, 1));
    if (test.hidden && t.has("seed")) t.complain("seed", "the seed of a hidden test lies in another file");
    test.seed = static_cast<uint64_t>(t.integer("seed", 0, INT64_MAX, 1));
    if (test.draw.contains("seed")) t.complain("draw", "'seed' is drawn for each run anyway");
  }
  if (test.name.empty()) t.complain("name", "'name' is empty");
  if (std::string problem = check_launch(test); !problem.empty()) t.complain("launch", problem);
  t.finish();
  return test;
}

LabQuality read_quality(TomlTable& t, LabKind kind) {
  const bool named = kind == LabKind::Kernel || (kind == LabKind::Pass && t.has("scheme"));
  const bool by_file = kind == LabKind::Kernel || kind == LabKind::Assembly;
  LabQuality q{.name = t.string("name"),
               .points = static_cast<uint32_t>(t.integer("points", 0, kMostPoints)),
               .metric = t.string("metric"),
               .scheme = named ? t.string("scheme") : "",
               .registers = read_registers(t, kind),
               .launch = t.string("launch"),
               .baseline = by_file ? t.string("baseline") : "",
               .full = t.number("full", 0, 1000),
               .none = t.number("none", 0, 1000, 1.0)};
  if (runs_programs(kind)) q.program = t.string("program");
  if (changes_functions(kind)) q.baseline_passes = read_passes(t, "baseline");
  if (q.full == q.none) t.complain("full", "'full' and 'none' are equal: no number lies between them");
  t.finish();
  return q;
}

}  // namespace

std::expected<LabFile, DriverError> read_lab(const std::string& path) {
  auto root = TomlTable::read(path);
  if (!root) return std::unexpected(root.error());
  const size_t slash = path.rfind('/');
  LabFile lab{.path = path, .folder = slash == std::string::npos ? "" : path.substr(0, slash + 1)};
  lab.title = root->string("title");
  const std::string kind = root->choice("kind", {std::begin(kKinds), std::end(kKinds)});
  for (size_t k = 0; k < std::size(kKinds); ++k)
    if (kKinds[k] == kind) lab.kind = static_cast<LabKind>(k);
  if (runs_programs(lab.kind)) {
    if (lab.kind != LabKind::Registers) lab.before = read_passes(*root, "before");
    for (const auto& [key, folders] :
         {std::pair{"python_path", &lab.python_path}, std::pair{"javascript_path", &lab.javascript_path}})
      if (std::string folder = root->string(key, ""); !folder.empty()) folders->push_back(std::move(folder));
    if (changes_functions(lab.kind)) lab.after = read_passes(*root, "after");
    if (lab.kind == LabKind::Pass) lab.require = read_properties(*root, "require");
    if (lab.kind == LabKind::Wave)
      lab.width = static_cast<uint32_t>(root->integer("width", 2, kWidestWave, 16));
  } else if (lab.kind != LabKind::Answers) {
    lab.reference = root->string("reference");
    lab.kernel = root->string("kernel", "");
    lab.ulp = static_cast<uint64_t>(root->integer("ulp", 0, 1 << 20, 0));
  }
  lab.course = root->string("course", "");
  lab.options = root->strings("options");
  TomlTable limits = root->table("limits");
  lab.seconds = limits.number("seconds", 0.1, 3600, 10.0);
  lab.steps = static_cast<uint64_t>(limits.integer("steps", 1, int64_t{1} << 40, 200'000'000));
  lab.memory_mib =
      static_cast<uint64_t>(limits.integer("memory_mib", 1, 1 << 16, runs_programs(lab.kind) ? 1024 : 256));
  if (lab.kind == LabKind::Kernel)
    lab.source_bytes = static_cast<uint64_t>(limits.integer("source_bytes", 0, 1 << 30, 0));
  limits.finish();
  for (TomlTable& t : root->tables("test")) lab.tests.push_back(read_test(t, lab.kind));
  if (has_quality(lab.kind))
    for (TomlTable& t : root->tables("quality")) lab.quality.push_back(read_quality(t, lab.kind));
  if (lab.tests.empty()) root->complain("test", "there is no [[test]]");
  root->finish();
  if (root->error()) return std::unexpected(*root->error());
  return lab;
}

Draw draw_numbers(const LabTest& test, uint64_t seed, uint32_t run) {
  uint64_t state = seed;
  // Tests with one seed differ in their numbers, and runs do.
  for (char c : test.name) state = mixed(state) ^ static_cast<uint8_t>(c);
  state = mixed(state) + run;
  Draw numbers;
  for (const auto& [name, limits] : test.draw) {
    const auto span = static_cast<uint64_t>(limits.second - limits.first) + 1;
    numbers[name] = limits.first + static_cast<int64_t>(mixed(state) % span);
  }
  numbers["seed"] = static_cast<int64_t>(mixed(state) >> 33);
  return numbers;
}

CommandLine command_of(const LabFile& lab, const std::string& file, const std::vector<std::string>& launch) {
  std::vector<std::string> line{"check", file, "-w"};
  if (!lab.kernel.empty()) line.insert(line.end(), {"--kernel", lab.kernel});
  line.insert(line.end(), lab.options.begin(), lab.options.end());
  line.insert(line.end(), launch.begin(), launch.end());
  return parse_command_line(line);
}

std::vector<std::string> words_of_launch(const std::string& launch, const Draw& numbers) {
  std::vector<std::string> words;
  const std::string text = filled_in(launch, numbers).value_or(launch);  // read_lab has checked it
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find_first_of(" \n\t", at), text.size());
    if (end > at) words.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

}  // namespace kc
