// SPDX-License-Identifier: Apache-2.0
#include "driver/certain_accesses.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "driver/argument_values.h"
#include "ir/text.h"
#include "sim/interpreter/run_result.h"

namespace kc {
namespace {

// Instructions of one work-item, and of all: a loop over a large buffer is not followed to its end.
constexpr size_t kMaxSteps = 20'000, kMaxAllSteps = 1'000'000;
// Besides those at the corners: a launch of up to so many is examined completely.
constexpr uint64_t kMaxItems = 256;

// What is known of a value: nothing, its bits, or the parameter whose buffer it points into and the offset.
struct Known {
  enum Kind : uint8_t { Nothing, Bits, Pointer } kind = Nothing;
  uint64_t bits = 0;  // of a pointer: the offset in bytes, modulo 2^64
  size_t param = 0;
};

struct Access {
  size_t param = 0;
  int64_t offset = 0;
  uint64_t bytes = 0;
  bool writes = false;
  Loc loc;
  std::array<uint64_t, 3> item{};
};

class Evaluator {
 public:
  Evaluator(const Function& kernel, const LaunchSpec& spec, const KernelArguments& args)
      : f_(kernel), spec_(spec), args_(args), outside_(args.buffers.size()), needed_(args.buffers.size()) {}

  void run(const std::array<uint64_t, 3>& id) {
    id_ = id;
    values_.assign(f_.value_count(), {});
    vars_.assign(f_.vars.size(), {Known::Bits, 0});  // as the interpreter begins
    const auto& params = f_.block(f_.entry()).params;
    for (size_t i = 0; i < params.size() && i < args_.values.size(); ++i) {
      const ArgumentValue& given = args_.values[i];
      if (given.buffer >= 0)
        values_[params[i].index] = {Known::Pointer, 0, i};
      else if (!given.is_local)
        values_[params[i].index] = {Known::Bits, given.bits};
    }
    size_t steps = 0;
    for (std::optional<BlockId> at = f_.entry(); at && steps < kMaxSteps && all_steps_ < kMaxAllSteps;) {
      const std::vector<InstId>& insts = f_.block(*at).insts;
      for (size_t i = 0; i + 1 < insts.size(); ++i) step(f_.inst(insts[i]));
      steps += insts.size(), all_steps_ += insts.size();
      at = leave(f_.inst(insts.back()));
    }
  }

  std::expected<void, DriverError> report() const {
    Problems problems;
    for (size_t b = 0; b < outside_.size(); ++b)
      if (outside_[b]) problems.add(describe(*outside_[b], args_.buffers[b], needed_[b]));
    if (problems.error()) return std::unexpected(*problems.error());
    return {};
  }

 private:
  Known value(ValueId v) const {
    const Value& x = f_.value(v);
    if (x.kind == ValueKind::Const) return {Known::Bits, x.bits};
    return x.kind == ValueKind::Undef ? Known{} : values_[v.index];
  }

  void step(const Inst& inst) {
    if (loads(inst.op)) note(inst, f_.type(inst.results[0]).bytes(), false);
    if (stores(inst.op)) note(inst, f_.type(inst.operands[1]).bytes(), true);
    if (info(inst.op).has(Atomic)) note(inst, f_.type(inst.operands[1]).bytes(), true);
    if (inst.op == Op::var_set) vars_[static_cast<size_t>(inst.attrs[0])] = value(inst.operands[0]);
    for (ValueId r : inst.results) values_[r.index] = {};
    if (inst.results.size() == 1) values_[inst.results[0].index] = evaluate(inst);
  }

  Known evaluate(const Inst& inst) const {
    if (inst.op == Op::var_get) return vars_[static_cast<size_t>(inst.attrs[0])];
    if (inst.op == Op::opaque_false) return {Known::Bits, 0};
    if (is_launch_value(class_of(inst.op))) return launch_value(inst);
    if (inst.op == Op::ptr_add) return address(inst);
    if (inst.op == Op::select) {
      const Known condition = value(inst.operands[0]);
      if (condition.kind != Known::Bits) return {};
      return value(inst.operands[condition.bits & 1 ? 1 : 2]);
    }
    const OpInfo& row = info(inst.op);
    if (!row.eval || row.effects != Effects::None || inst.operands.empty() || inst.operands.size() > 3)
      return {};
    std::array<uint64_t, 3> operands{};
    for (size_t i = 0; i < inst.operands.size(); ++i) {
      const Known k = value(inst.operands[i]);
      if (k.kind != Known::Bits) return {};
      operands[i] = k.bits;
    }
    const EvalFn fn = row.eval(f_.type(inst.operands[0]).elem, f_.type(inst.results[0]).elem);
    return fn ? Known{Known::Bits, fn(operands.data())} : Known{};
  }

  Known launch_value(const Inst& inst) const {
    uint64_t v = spec_.dims;
    const auto d = static_cast<size_t>(inst.attrs[0]);
    const uint64_t index = inst.op == Op::work_dim ? 0 : id_[d] - spec_.offset[d];
    switch (inst.op) {
      case Op::work_dim:
        break;
      case Op::global_id:
        v = id_[d];
        break;
      case Op::local_id:
        v = index % spec_.local[d];
        break;
      case Op::group_id:
        v = index / spec_.local[d];
        break;
      case Op::global_size:
        v = spec_.global[d];
        break;
      case Op::local_size:
        v = spec_.local[d];
        break;
      case Op::num_groups:
        v = spec_.groups(d);
        break;
      case Op::global_offset:
        v = spec_.offset[d];
        break;
      default:
        return {};
    }
    return {Known::Bits, f_.type(inst.results[0]).bits() == 64 ? v : v & 0xffffffffu};
  }

  Known address(const Inst& inst) const {
    const Known base = value(inst.operands[0]), index = value(inst.operands[1]);
    if (base.kind != Known::Pointer || index.kind != Known::Bits) return {};
    const bool wide = f_.type(inst.operands[1]).bits() == 64;
    return {Known::Pointer, element_address(base.bits, index.bits, wide, true, inst.attrs[0], inst.attrs[1]),
            base.param};
  }

  void note(const Inst& inst, uint64_t bytes, bool writes) {
    const Known pointer = value(inst.operands[0]);
    if (pointer.kind != Known::Pointer) return;
    const auto buffer = static_cast<size_t>(args_.values[pointer.param].buffer);
    const auto offset = static_cast<int64_t>(pointer.bits);
    const uint64_t size = args_.buffers[buffer].bytes.size();
    if (offset >= 0) needed_[buffer] = std::max(needed_[buffer], pointer.bits + bytes);
    if (offset >= 0 && bytes <= size && pointer.bits <= size - bytes) return;
    if (!outside_[buffer]) outside_[buffer] = Access{pointer.param, offset, bytes, writes, inst.loc, id_};
  }

  // The block that follows, if it is known.
  std::optional<BlockId> leave(const Inst& end) {
    size_t taken = 0;
    if (end.op == Op::br_if || end.op == Op::switch_) {
      const Known on = value(end.operands[0]);
      if (on.kind != Known::Bits) return std::nullopt;
      if (end.op == Op::br_if) taken = on.bits & 1 ? 0 : 1;
      for (size_t i = 1; end.op == Op::switch_ && i < end.operands.size() && !taken; ++i)
        if (value(end.operands[i]).bits == on.bits) taken = i;
    } else if (end.op != Op::br) {
      return std::nullopt;
    }
    const Target& to = end.targets[taken];
    std::vector<Known> passed;
    for (ValueId v : to.args) passed.push_back(value(v));
    const auto& params = f_.block(to.block).params;
    for (size_t i = 0; i < params.size(); ++i) values_[params[i].index] = passed[i];
    return to.block;
  }

  std::string describe(const Access& a, const BufferArg& buffer, uint64_t needed) const {
    const ParamInfo& p = f_.params[a.param];
    const auto element = static_cast<int64_t>(
        std::max<uint64_t>(p.pointee_size ? p.pointee_size : Type{p.pointee}.bytes(), 1));
    const int64_t index = (a.offset < 0 ? a.offset - element + 1 : a.offset) / element;
    const std::string verb = a.writes ? "writes" : "reads", where = describe_line(f_, a.loc);
    std::string text = fmt::format(
        "argument '{}': work-item ({}, {}, {}) {} {}[{}] at {}, outside the {} bytes of the buffer", p.name,
        a.item[0], a.item[1], a.item[2], verb, p.name, index, where, buffer.bytes.size());
    if (a.offset < 0) return text + ": the index is negative";
    const uint64_t size = buffer.type.bytes();
    return text + fmt::format(": the launch needs at least {}[{}]", short_name(buffer.type),
                              (needed + size - 1) / size);
  }

  const Function& f_;
  const LaunchSpec& spec_;
  const KernelArguments& args_;
  size_t all_steps_ = 0;
  std::array<uint64_t, 3> id_{};
  std::vector<Known> values_, vars_;
  std::vector<std::optional<Access>> outside_;  // by buffer: the first access outside it
  std::vector<uint64_t> needed_;                // by buffer: bytes up to the end of the last access
};

}  // namespace

std::expected<void, DriverError> check_certain_accesses(const Function& kernel, const LaunchSpec& spec,
                                                        const KernelArguments& args) {
  if (kernel.dialect != Dialect::Thread || args.buffers.empty()) return {};
  Evaluator evaluator(kernel, spec, args);
  for (size_t corner = 0; corner < 8; ++corner) {
    std::array<uint64_t, 3> id = spec.offset;
    bool again = false;  // the corner of another dimension with one work-item
    for (size_t d = 0; d < 3; ++d) {
      const bool last = (corner >> d & 1) != 0;
      again |= last && spec.global[d] == 1;
      if (last) id[d] += spec.global[d] - 1;
    }
    if (!again) evaluator.run(id);
  }
  const uint64_t count = std::min(spec.items(), kMaxItems);
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t linear = i * (spec.items() / count), row = linear / spec.global[0];
    evaluator.run({spec.offset[0] + linear % spec.global[0], spec.offset[1] + row % spec.global[1],
                   spec.offset[2] + row / spec.global[1]});
  }
  return evaluator.report();
}

}  // namespace kc
