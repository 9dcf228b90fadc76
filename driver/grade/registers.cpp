// SPDX-License-Identifier: Apache-2.0
#include "driver/grade/registers.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>

#include "backends/regalloc/assignment.h"
#include "driver/grade/assembly_engine.h"
#include "driver/usage_errors.h"
#include "host/gcn_code.h"
#include "ir/json/json.h"

namespace kc {
namespace {

constexpr uint32_t kScratch = 16;  // registers behind those of the submission, for reloads

using VectorAllocator = decltype(GcnTarget::allocate_vectors);

// Compiles, allocating vector registers in this way, and runs. An error may be the allocator's.
std::expected<RegisterVerdict, std::string> run_with(const LabFile& lab, const ProgramCase& c,
                                                     const VectorAllocator& allocator) {
  const TargetDesc& machine = *find_target("gfx900");
  auto kernel = KernelCompiler::start(*c.kernel);
  if (!kernel) return std::unexpected(kernel.error().message);
  Program program{.source = c.kernel,
                  .optimised = nullptr,
                  .compiler = std::make_shared<const KernelCompiler>(std::move(*kernel))};
  const GroupSize& local = c.spec.local;
  auto wave = program.compiler->wave(machine, {.width = machine.wave_lanes, .ids = machine.ids(local)});
  if (!wave) return std::unexpected(wave.error().message);
  wave->function->target = note_of(machine, local);
  const GcnTarget target{.cpu = std::string(machine.name),
                         .group_items = local[0] * local[1] * local[2],
                         .allocate_vectors = allocator};
  auto code = compile_gcn(*wave->function, target);
  if (!code) return std::unexpected(code.error().message);
  auto object = load_assembly(code->assembly);
  if (!object) return std::unexpected(object.error());
  AssemblyEngine engine(std::make_shared<const GcnObject>(std::move(*object)), lab.steps);
  CaseRun run = run_case(engine, program, c);
  return RegisterVerdict{difference_of(c, run), run.first.stats};
}

// As many registers of the class as a lab has.
RegTarget limited(const RegTarget& target, uint32_t registers) {
  RegTarget t = target;
  auto& order = t.classes[0].order;
  order.resize(std::min<size_t>(order.size(), registers));
  return t;
}

std::string shown(const nlohmann::json& value) {
  return value.is_number() ? value.dump() : fmt::format("a value of the type {}", value.type_name());
}

// {"assign": {"VALUE": REGISTER, ...}, "spill": [VALUE, ...]}; an error says what is wrong.
class AssignmentReader {
 public:
  AssignmentReader(const Function& f, const RegTarget& target, RegisterRange range)
      : f_(f), target_(target), range_(range), asked_(f.value_count()) {
    a_.unit.assign(f.value_count(), kNone);
    a_.spilled.assign(f.value_count(), false);
    for (BlockId b : f.layout) {
      if (b != f.entry()) std::ranges::for_each(f.block(b).params, [&](ValueId v) { ask(v); });
      for (InstId i : f.block(b).insts)
        for (ValueId v : f.inst(i).results) ask(v);
    }
  }

  std::expected<Assignment, std::string> read(const std::string& text) {
    const auto answer = nlohmann::json::parse(text, nullptr, false);
    const bool has_both = answer.is_object() && answer.contains("assign") && answer["assign"].is_object() &&
                          answer.contains("spill") && answer["spill"].is_array();
    if (!has_both)
      return std::unexpected(R"(it wrote no {"assign": {"VALUE": REGISTER, ...}, "spill": [VALUE, ...]})");
    for (const auto& v : answer["spill"])
      if (std::string why = spill(v); !why.empty()) return std::unexpected(why);
    for (const auto& [v, reg] : answer["assign"].items())
      if (std::string why = assign(v, reg); !why.empty()) return std::unexpected(why);
    for (uint32_t v = 0; v < asked_.size(); ++v)
      if (asked_[v] && a_.unit[v] == kNone && !a_.spilled[v])
        return std::unexpected(fmt::format("value {} has no register and is not spilled", v));
    return std::move(a_);
  }

 private:
  void ask(ValueId v) { asked_[v.index] = f_.type(v).elem == target_.classes[0].elem; }

  std::string wrong_value(int64_t v) const {
    const bool known = v >= 0 && v < static_cast<int64_t>(asked_.size());
    if (known && asked_[static_cast<size_t>(v)]) return "";
    return fmt::format("value {} is not one that needs a vector register", v);
  }

  std::string spill(const nlohmann::json& v) {
    if (!v.is_number_integer()) return fmt::format("'spill' has {}, which is no value", shown(v));
    if (std::string why = wrong_value(v.get<int64_t>()); !why.empty()) return why;
    a_.spilled[v.get<size_t>()] = true;
    return "";
  }

  std::string assign(const std::string& name, const nlohmann::json& reg) {
    int64_t v = 0;
    auto [end, ec] = std::from_chars(name.data(), name.data() + name.size(), v);
    if (ec != std::errc{} || end != name.data() + name.size())
      return fmt::format("'assign' has '{}', which is not the number of a value", name.substr(0, 40));
    if (std::string why = wrong_value(v); !why.empty()) return why;
    const auto n = static_cast<size_t>(v);
    if (a_.spilled[n]) return fmt::format("value {} has a register and is spilled", v);
    if (!reg.is_number_integer())
      return fmt::format("the register of value {} is {}, and not a number", v, shown(reg));
    const int64_t size = f_.type(ValueId(static_cast<uint32_t>(v))).regs, first = reg.get<int64_t>();
    if (first < range_.first || first > range_.last || first + size - 1 > range_.last)
      return fmt::format("value {} is in register {}{}, and v{} to v{} may be used", v, shown(reg),
                         size > 1 ? fmt::format(" and the {} after it", size - 1) : "", range_.first,
                         range_.last);
    a_.unit[n] = static_cast<uint32_t>(first);
    return "";
  }

  const Function& f_;
  const RegTarget& target_;
  RegisterRange range_;
  std::vector<bool> asked_;  // by value: needs a place
  Assignment a_;
};

RegisterRange range_of(const RegTarget& target, uint32_t registers) {
  const uint32_t first = target.classes[0].order.front();
  return {first, first + registers - 1};
}

std::expected<Allocation, std::string> allocate_as_said(Function& f, const RegTarget& target,
                                                        uint32_t registers, const std::string& answer) {
  const RegTarget all = limited(target, registers + kScratch);
  const auto& order = all.classes[0].order;
  auto assignment = AssignmentReader(f, all, range_of(all, registers)).read(answer);
  if (!assignment) return std::unexpected(assignment.error());
  const Function before = f;
  auto allocation = apply_assignment(f, all, *assignment,
                                     {order.begin() + registers, order.begin() + registers + kScratch});
  if (!allocation) return allocation;
  const auto errors = check_allocation(before, f, all);
  if (errors.empty()) return allocation;
  std::string why = find_interference(before, all, *assignment);
  return std::unexpected(why.empty() ? errors.front() : why);
}

}  // namespace

std::expected<RegisterQuestion, std::string> ask_registers(const LabFile& lab, const ProgramCase& c,
                                                           uint32_t registers) {
  std::optional<RegisterQuestion> question;
  // The compiler asks for the registers; here it gets no answer.
  auto verdict =
      run_with(lab, c, [&](Function& f, const RegTarget& target) -> std::expected<Allocation, std::string> {
        question = RegisterQuestion{write_json(f), range_of(target, registers)};
        return std::unexpected("it is asked first");
      });
  if (!question) return std::unexpected(verdict ? "it needs no registers" : verdict.error());
  return *question;
}

std::expected<RegisterVerdict, std::string> try_registers(const LabFile& lab, const ProgramCase& c,
                                                          uint32_t registers, const std::string& answer) {
  std::string wrong;  // of the submission
  auto verdict = run_with(lab, c, [&](Function& f, const RegTarget& target) {
    auto allocation = allocate_as_said(f, target, registers, answer);
    if (!allocation) wrong = allocation.error();
    return allocation;
  });
  if (!verdict && !wrong.empty()) return RegisterVerdict{wrong, {}};
  return verdict;
}

std::expected<RegisterVerdict, std::string> own_registers(const LabFile& lab, const ProgramCase& c,
                                                          uint32_t registers) {
  auto verdict = run_with(lab, c, [&](Function& f, const RegTarget& target) {
    return allocate_registers(f, limited(target, registers));
  });
  if (verdict && !verdict->difference.empty()) return std::unexpected(verdict->difference);
  return verdict;
}

}  // namespace kc
