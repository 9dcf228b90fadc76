// SPDX-License-Identifier: Apache-2.0
#include "tests/run/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "frontend/frontend.h"
#include "tests/run/formula.h"

namespace kc::test {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kTrapMarker = "// trap here";

std::string_view trim(std::string_view s) {
  size_t a = s.find_first_not_of(" \t\r"), b = s.find_last_not_of(" \t\r");
  return a == std::string_view::npos ? std::string_view{} : s.substr(a, b - a + 1);
}

// Removes the first word of the text.
std::string_view next_word(std::string_view& text) {
  text = trim(text);
  size_t end = std::min(text.find(' '), text.size());
  std::string_view word = text.substr(0, end);
  text = trim(text.substr(end));
  return word;
}

bool parse_number(std::string_view text, uint64_t& n) {
  if (text.empty() || text.find_first_not_of("0123456789") != std::string_view::npos) return false;
  n = std::strtoull(std::string(text).c_str(), nullptr, 10);
  return true;
}

/// Reads one file; `error` stays empty on success.
class FileReader {
 public:
  FileReader(const fs::path& path, std::vector<RunProgram>& out) : path_(path), out_(out) {}

  std::string read() {
    std::ifstream in(path_);
    for (std::string line; std::getline(in, line) && error_.empty();) one(line);
    finish();
    return error_;
  }

 private:
  void fail(std::string_view message) {
    if (error_.empty()) error_ = fmt::format("{}:{}: {}", path_.filename().string(), line_, message);
  }

  void one(const std::string& line) {
    ++line_;
    if (line.starts_with("//----")) return begin(trim(std::string_view(line).substr(6)));
    if (!open_) {
      if (!trim(line).empty() && !line.starts_with("//")) fail("text before the first program");
      return;
    }
    RunProgram& p = out_.back();
    if (line.starts_with("//:  ")) {  // continues the previous line
      if (!last_) return fail("nothing to continue");
      *last_ += " " + std::string(trim(std::string_view(line).substr(4)));
    } else if (line.starts_with("//:")) {
      directive(p, trim(std::string_view(line).substr(3)));
    } else {
      if (line.find(kTrapMarker) != std::string::npos) p.trap_line = line_;
      p.source += line;
    }
    p.source += "\n";
  }

  void begin(std::string_view name) {
    finish();
    if (name.empty() || !names_.insert(std::string(name)).second) fail("a program needs a name of its own");
    open_ = true;
    out_.push_back({.chapter = path_.stem().string(),
                    .name = std::string(name),
                    .file = path_.string(),
                    .source = std::string(line_, '\n'),
                    .line = line_,
                    .trap_line = 0,
                    .launch = {},
                    .expectations = {},
                    .trap = {},
                    .prints = {},
                    .not_for = {}});
    last_ = nullptr;
    sized_ = false;
  }

  void finish() {
    if (!open_) return;
    RunProgram& p = out_.back();
    if (!sized_) fail(fmt::format("program '{}' has no 'global'", p.name));
    if (p.expectations.empty() && !p.trap && p.prints.empty())
      fail(fmt::format("program '{}' expects nothing", p.name));
    if (p.trap && !p.trap_line)
      fail(fmt::format("program '{}' has no line marked '{}'", p.name, kTrapMarker));
  }

  void directive(RunProgram& p, std::string_view text) {
    std::string_view word = next_word(text);
    last_ = nullptr;
    if (word == "global" || word == "local" || word == "offset" || word == "arg" || word == "kernel") {
      sized_ = sized_ || word == "global";
      p.launch.push_back(fmt::format("--{}", word));
      p.launch.emplace_back(text);
    } else if (word == "flags") {
      while (!text.empty()) p.launch.emplace_back(next_word(text));
    } else if (word == "expect") {
      expectation(p, text);
    } else if (word == "trap") {
      trap(p, text);
    } else if (word == "prints") {
      p.prints += std::string(text) + "\n";
    } else if (word == "not") {
      std::string who(next_word(text));
      if (who.empty() || who.back() != ':' || text.empty()) return fail("expected 'not WHO: REASON'");
      who.pop_back();
      if (who != "host" && who != "opencl") return fail("only 'host' and 'opencl' can be left out");
      p.not_for[who] = text;
    } else {
      fail(fmt::format("unknown directive '{}'", word));
    }
  }

  void expectation(RunProgram& p, std::string_view text) {
    size_t eq = text.find('=');
    if (eq == std::string_view::npos) return fail("expected 'expect NAME = VALUES'");
    Expectation e{.buffer = std::string(trim(text.substr(0, eq))),
                  .text = std::string(trim(text.substr(eq + 1))),
                  .range = {},
                  .line = line_};
    if (size_t open = e.buffer.find('['); open != std::string::npos) {
      std::string range = e.buffer.substr(open + 1, e.buffer.size() - open - 2);
      size_t colon = range.find(':');
      uint64_t a = 0, b = 0;
      if (!parse_number(range.substr(0, colon), a)) return fail("bad range");
      b = a + 1;
      if (colon != std::string::npos && !parse_number(range.substr(colon + 1), b)) return fail("bad range");
      e.range = {a, b};
      e.buffer.resize(open);
    }
    p.expectations.push_back(std::move(e));
    last_ = &p.expectations.back().text;
  }

  // throw TYPE VALUE at X[,Y[,Z]] count N; out_of_bounds [INDEX] at ...
  void trap(RunProgram& p, std::string_view text) {
    ExpectedTrap t;
    t.kind = next_word(text);
    if (t.kind == "throw") t.type = next_word(text);
    std::string_view word = next_word(text);
    if (t.kind == "throw" || (t.kind == "out_of_bounds" && word != "at"))
      t.value = word, word = next_word(text);
    if (word != "at") return fail("expected 'at' and a global id");
    std::string_view id = next_word(text);
    for (size_t d = 0; d < 3 && !id.empty(); ++d) {
      size_t comma = std::min(id.find(','), id.size());
      if (!parse_number(id.substr(0, comma), t.global_id[d])) return fail("bad global id");
      id = comma < id.size() ? id.substr(comma + 1) : std::string_view{};
    }
    if (next_word(text) != "count" || !parse_number(text, t.count)) return fail("expected 'count N'");
    p.trap = t;
  }

  fs::path path_;
  std::vector<RunProgram>& out_;
  std::set<std::string> names_;
  std::string error_;
  std::string* last_ = nullptr;
  size_t line_ = 0;
  bool open_ = false, sized_ = false;
};

FormulaValue value_of(ElementType type, uint64_t bits) {
  switch (type.elem) {
    case Elem::F32:
      return FormulaValue::of(std::bit_cast<float>(static_cast<uint32_t>(bits)));
    case Elem::F64:
      return FormulaValue::of(std::bit_cast<double>(bits));
    case Elem::I64:
      return {type.is_unsigned ? FormulaValue::Uint : FormulaValue::Int, bits, 0};
    default:
      break;
  }
  unsigned shift = 64 - Type{type.elem}.bits();
  return FormulaValue::of(type.is_unsigned ? static_cast<int64_t>(bits)
                                           : static_cast<int64_t>(bits << shift) >> shift);
}

// The element's bits. A value that does not fit must be converted explicitly in the formula.
std::expected<uint64_t, std::string> bits_of(ElementType type, const FormulaValue& v) {
  if (type.elem == Elem::F32) {
    float f = v.kind == FormulaValue::F32 ? static_cast<float>(v.number) : static_cast<float>(v.as_double());
    return std::bit_cast<uint32_t>(f);
  }
  if (type.elem == Elem::F64) return std::bit_cast<uint64_t>(v.as_double());
  if (v.is_float()) return std::unexpected("a float is expected in a buffer of integers");
  unsigned width = Type{type.elem}.bits();
  if (width == 64) return v.integer;
  auto whole = static_cast<int64_t>(v.integer);
  int64_t top = int64_t{1} << width;
  if (v.kind == FormulaValue::Uint ? v.integer >= static_cast<uint64_t>(top)
                                   : whole >= top || whole < -top / 2)
    return std::unexpected(fmt::format("{} does not fit the element", whole));
  return v.integer & static_cast<uint64_t>(top - 1);
}

bool same_element(Elem elem, uint64_t a, uint64_t b) {
  if (a == b) return true;
  if (elem == Elem::F32)
    return std::isnan(std::bit_cast<float>(static_cast<uint32_t>(a))) &&
           std::isnan(std::bit_cast<float>(static_cast<uint32_t>(b)));
  return elem == Elem::F64 && std::isnan(std::bit_cast<double>(a)) && std::isnan(std::bit_cast<double>(b));
}

std::string show(ElementType type, uint64_t bits) {
  return fmt::format("{} ({:#x})", format_element(type, bits), bits);
}

std::string apply(const Expectation& e, BufferArg& buffer, FormulaNames names) {
  size_t n = buffer.bytes.size() / buffer.type.bytes();
  auto [first, last] = e.range.value_or(std::pair<size_t, size_t>{0, n});
  if (first >= last || last > n) return "the range is not within the buffer";
  auto list = split_list(e.text);
  if (!list.empty() && list.size() != last - first)
    return fmt::format("{} values for {} elements", list.size(), last - first);
  names.values["n"] = FormulaValue::of(static_cast<int64_t>(n));
  for (size_t i = first; i < last; ++i) {
    names.values["i"] = FormulaValue::of(static_cast<int64_t>(i));
    auto value = evaluate_formula(list.empty() ? std::string_view(e.text) : list[i - first], names);
    if (!value) return value.error();
    auto bits = bits_of(buffer.type, *value);
    if (!bits) return bits.error();
    std::memcpy(buffer.bytes.data() + i * buffer.type.bytes(), &*bits, buffer.type.bytes());
  }
  return {};
}

}  // namespace

std::expected<std::vector<RunProgram>, std::string> read_programs(const std::string& directory) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(directory))
    if (entry.path().extension() == ".cl") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<RunProgram> programs;
  for (const fs::path& file : files)
    if (auto error = FileReader(file, programs).read(); !error.empty()) return std::unexpected(error);
  return programs;
}

std::expected<std::unique_ptr<CompiledProgram>, std::string> compile_program(
    const RunProgram& p, const std::vector<std::string>& more) {
  std::vector<std::string> line{"run", p.file};
  line.insert(line.end(), p.launch.begin(), p.launch.end());
  line.insert(line.end(), more.begin(), more.end());
  CommandLine command = parse_command_line(std::move(line));
  if (!command.options) return std::unexpected(command.text);
  auto c = std::make_unique<CompiledProgram>();
  c->options = *command.options;
  FrontendResult front = compile_source(p.source, frontend_options(c->options));
  if (!front.module) return std::unexpected(front.diagnostics);
  c->module = std::move(*front.module);
  auto kernel = choose_kernel(c->module, c->options);
  if (!kernel) return std::unexpected(kernel.error().message);
  c->kernel = *kernel;
  auto spec = make_launch(*c->kernel, c->options);
  if (!spec) return std::unexpected(spec.error().message);
  c->spec = *spec;
  auto inputs = parse_arguments(*c->kernel, c->options.args);
  if (!inputs) return std::unexpected(inputs.error().message);
  c->inputs = std::move(*inputs);
  c->inputs.printf_bytes = c->options.printf_bytes;
  c->spec.disjoint_buffers = has_disjoint_buffers(c->inputs);
  auto program = make_program(*c->kernel, c->options);
  if (!program) return std::unexpected(program.error().message);
  c->program = std::move(*program);
  c->program.text = source_text(p.source, c->options);
  return c;
}

std::expected<KernelArguments, std::string> expected_buffers(const RunProgram& p, const CompiledProgram& c) {
  KernelArguments want = c.inputs;
  FormulaNames names;
  auto find = [&](std::string_view name) {
    return std::find_if(c.inputs.buffers.begin(), c.inputs.buffers.end(),
                        [&](const BufferArg& b) { return b.name == name; });
  };
  names.element = [&](std::string_view name, int64_t index) {
    auto b = find(name);
    if (b == c.inputs.buffers.end()) throw FormulaError{"no buffer '" + std::string(name) + "'"};
    if (index < 0 || static_cast<uint64_t>(index) >= b->bytes.size() / b->type.bytes())
      throw FormulaError{fmt::format("{}[{}] is outside the buffer", name, index)};
    return value_of(b->type, load_element(*b, static_cast<size_t>(index)));
  };
  const auto& params = c.kernel->block(c.kernel->entry()).params;
  for (size_t k = 0; k < c.inputs.values.size(); ++k)
    if (Type type = c.kernel->type(params[k]); !type.is_pointer())
      names.values[c.kernel->params[k].name] =
          value_of({type.elem, c.kernel->params[k].is_unsigned}, c.inputs.values[k].bits);
  for (const Expectation& e : p.expectations) {
    auto b = find(e.buffer);
    std::string error =
        b == c.inputs.buffers.end()
            ? fmt::format("no buffer '{}'", e.buffer)
            : apply(e, want.buffers[static_cast<size_t>(b - c.inputs.buffers.begin())], names);
    if (!error.empty()) return std::unexpected(fmt::format("line {}: {}", e.line, error));
  }
  return want;
}

std::string compare_buffers(const KernelArguments& expected, const KernelArguments& got) {
  for (size_t k = 0; k < expected.buffers.size(); ++k) {
    const BufferArg& b = expected.buffers[k];
    for (size_t i = 0; i < b.bytes.size() / b.type.bytes(); ++i) {
      uint64_t want = load_element(b, i), have = load_element(got.buffers[k], i);
      if (!same_element(b.type.elem, want, have))
        return fmt::format("{}[{}] is {}, expected {}", b.name, i, show(b.type, have), show(b.type, want));
    }
  }
  return {};
}

std::string compare_text(const RunProgram& p, const std::string& got) {
  if (got == p.prints) return {};
  std::istringstream want(p.prints), have(got);
  for (size_t number = 1;; ++number) {
    std::string a, b;
    bool more = static_cast<bool>(std::getline(want, a)), others = static_cast<bool>(std::getline(have, b));
    if (!more && !others) return "prints another end of the last line";
    if (a != b || more != others) return fmt::format("prints '{}' in line {}, expected '{}'", b, number, a);
  }
}

std::string compare_trap(const RunProgram& p, const std::optional<TrapReport>& got) {
  if (!got || !p.trap)
    return got.has_value() == p.trap.has_value() ? std::string()
           : got                                 ? "a trap, expected none"
                                                 : "no trap, expected one";
  const ExpectedTrap& want = *p.trap;
  std::string kind = got->site.kind == TrapKind::UncaughtThrow      ? "throw"
                     : got->site.kind == TrapKind::Assert           ? "assert"
                     : got->site.kind == TrapKind::DivergentBarrier ? "divergent_barrier"
                                                                    : "out_of_bounds";
  auto differs = [](std::string_view what, auto have, auto expected) {
    return fmt::format("trap: {} is {}, expected {}", what, have, expected);
  };
  if (kind != want.kind) return differs("kind", kind, want.kind);
  if (!want.type.empty() && got->site.type != want.type) return differs("type", got->site.type, want.type);
  if (!want.value.empty() && format_trap_value(*got) != want.value)
    return differs("value", format_trap_value(*got), want.value);
  for (size_t d = 0; d < 3; ++d)
    if (got->global_id[d] != want.global_id[d])
      return differs("global id", got->global_id[d], want.global_id[d]);
  if (got->count != want.count) return differs("count", got->count, want.count);
  if (got->site.loc.line != p.trap_line) return differs("line", got->site.loc.line, p.trap_line);
  return {};
}

}  // namespace kc::test
