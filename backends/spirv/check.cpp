// SPDX-License-Identifier: Apache-2.0
// Features that this backend rejects, reported before emission.
#include <fmt/format.h>

#include "backends/spirv/workgroup_memory.h"
#include "backends/structured/region_tree.h"
#include "ir/text.h"
#include "passes/lower/lower_sub_groups.h"

namespace kc {

namespace {

std::string block_label(const Function& f, BlockId b) {
  for (size_t i = 0; i < f.layout.size(); ++i)
    if (f.layout[i] == b)
      return f.block(b).hint.empty() ? fmt::format("b{}", i) : fmt::format("b{}.{}", i, f.block(b).hint);
  return "?";
}

class Checker {
 public:
  Checker(const Function& function, const SpirvLaunches& launches) : f(function), launches_(launches) {}

  std::vector<SpirvProblem> run() {
    if (f.dialect != Dialect::Thread || !f.is_kernel) {
      report(f.entry(), {}, "only kernels in thread IR can be emitted");
      return std::move(problems_);
    }
    for (ValueId p : f.block(f.entry()).params)
      if (f.type(p).elem == Elem::PtrPrivate) report(f.entry(), {}, "a private pointer as a parameter");
    for (BlockId b : f.layout)
      for (InstId i : f.block(b).insts) instruction(b, f.inst(i));
    spirv::Code code;
    if (spirv::LocalMemory(f, code, {}).mixes_atomics())
      report(f.entry(), {}, "atomic operations of 32 and 64 bits on the same local memory");
    for (const auto& edge : structured::irreducible_edges(f)) {
      const Inst& inst = f.inst(f.terminator(edge.from));
      report(edge.from, inst.loc,
             fmt::format("the jump to {} enters a loop elsewhere than at its head (irreducible control flow)",
                         block_label(f, edge.to)));
    }
    if (problems_.empty() && structured::build_regions(f).nesting > structured::kMaxNesting)
      report(f.entry(), {},
             fmt::format("control flow that nests in more than {} levels", structured::kMaxNesting));
    return std::move(problems_);
  }

 private:
  void report(BlockId b, Loc loc, const std::string& what) {
    std::string where = fmt::format("block {}", block_label(f, b));
    if (loc.line) where = fmt::format("{}, {}", describe_line(f, loc), where);
    problems_.push_back(
        {b, loc, fmt::format("kernel {}: not supported by vulkan: {} ({})", f.name, what, where)});
  }

  void instruction(BlockId b, const Inst& inst) {
    Elem operand = inst.operands.empty() ? Elem::Void : f.type(inst.operands[0]).elem;
    bool load = inst.op == Op::load, store = inst.op == Op::store;
    if ((load || store) && operand == Elem::PtrPrivate) {
      if (f.type(load ? inst.results[0] : inst.operands[1]) != kI32)
        report(b, inst.loc, "an access to private memory that is not a word");
      if (f.objects.empty()) report(b, inst.loc, "an access to private memory without objects");
    }
    if (auto why = spirv::unsupported(inst.op, launches_.sub_group_lanes != 0); !why.empty())
      report(b, inst.loc, why);
  }

  const Function& f;
  const SpirvLaunches& launches_;
  std::vector<SpirvProblem> problems_;
};

}  // namespace

std::vector<SpirvProblem> check_spirv(const Function& f, const SpirvLaunches& launches) {
  return Checker(f, launches).run();
}

std::string spirv_limit(const VulkanImage& image) {
  constexpr uint32_t kMaxBound = 4194303;
  const uint32_t bound = image.words[3];
  if (bound <= kMaxBound) return {};
  return fmt::format("kernel {}: not supported by vulkan: a module of {} ids ({} are allowed)", image.kernel,
                     bound, kMaxBound);
}

std::string spirv::unsupported(Op op, bool sub_groups) {
  switch (op) {
    case Op::object_address:
      return "an array or another object in memory";
    case Op::var_get:
    case Op::var_set:
      return "a variable that is not in SSA form";
    case Op::trap:
      return "a trap that is not lowered";
    default:
      if (!(info(op).dialects & InThread)) return fmt::format("'{}' outside thread IR", name_of(op));
      if (is_sub_group(class_of(op)) || op == Op::opaque_false) {
        if (!sub_groups) return "a sub-group operation";
        return is_sub_group_row(op) ? fmt::format("'{}' that is not lowered", name_of(op)) : std::string();
      }
      if (info(op).expand) return fmt::format("'{}' that is not expanded", name_of(op));
      return {};
  }
}

}  // namespace kc
