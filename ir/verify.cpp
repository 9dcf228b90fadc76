// SPDX-License-Identifier: Apache-2.0
#include "ir/verify.h"

#include <fmt/format.h>

#include "ir/cfg.h"
#include "ir/check.h"
#include "ir/fold.h"
#include "ir/text.h"

namespace kc {
namespace {

constexpr size_t kMaxErrors = 20;

class Verifier {
 public:
  explicit Verifier(const Function& function) : f(function), listed_(f.inst_count()) {}

  std::vector<VerifyError> run() {
    if (f.layout.empty()) {
      error({}, {}, "function has no blocks");
      return errors_;
    }
    for (const MemoryObject& o : f.objects) object(o);
    for (const TrapSite& site : f.traps)
      if (site.loc.file > f.files.size()) error({}, {}, "the place of a trap site is in no file");
    if (f.target) target(*f.target);
    for (BlockId b : f.layout) shape(b);
    if (!errors_.empty()) return errors_;  // the graph itself is malformed
    for (BlockId b : f.layout)
      for (InstId i : f.block(b).insts) {
        types(b, i);
        edges(b, i);
      }
    if (errors_.empty()) dominance();
    return errors_;
  }

 private:
  void error(BlockId b, InstId i, std::string message) {
    if (errors_.size() >= kMaxErrors) return;
    errors_.push_back({b, i, i.valid() ? print(f, i) : std::string(), std::move(message)});
  }

  void target(const TargetNote& note) {
    const bool machine = f.dialect != Dialect::Thread && f.dialect != Dialect::Wave;
    if (f.dialect == Dialect::Thread) error({}, {}, "a function of the thread dialect has no target");
    if (!machine && !(note.after.empty() && note.arguments.empty() && note.same_in_lanes.empty()))
      error({}, {}, "'after', arguments and same_in_lanes belong to machine functions");
    for (size_t i = 0; i < note.arguments.size(); ++i) {
      const Type type = note.arguments[i].type;
      const bool number = type.is_int() || type.is_float() || type.is_pointer();
      if (type.lane || !(number || type.is_mask()))
        error({}, {}, fmt::format("argument {} is of type {}", i, to_string(type)));
    }
    for (ValueId v : note.same_in_lanes)
      if (!v.valid() || f.is_inline(v) || f.type(v).elem != Elem::Vgpr)
        error({}, {}, "same_in_lanes lists vector registers");
  }

  void object(const MemoryObject& o) {
    auto wrong = [&](std::string_view what) { error({}, {}, fmt::format("object ${}: {}", o.name, what)); };
    if (!(OwnPtr & set_of(o.type.elem)) || o.type.lane)
      return wrong("only private, local and constant memory has objects");
    if (o.size == 0) wrong("has no size");
    if (o.align == 0 || (o.align & (o.align - 1))) wrong("its alignment is not a power of two");
    bool constant = o.type == kPtrConstant;
    if (o.init.size() != (constant ? o.size : 0))
      wrong(constant ? "a constant object has all its bytes given"
                     : "only constant objects have given bytes");
  }

  // Every block ends in its only terminator and jumps to existing blocks.
  void shape(BlockId b) {
    const Block& block = f.block(b);
    if (block.insts.empty()) return error(b, {}, "block is empty: it needs a terminator");
    for (InstId i : block.insts) {
      const Inst& inst = f.inst(i);
      const OpInfo& row = info(inst.op);
      bool last = i == block.insts.back();
      if (inst.block != b) error(b, i, "instruction is in the list of a block that it does not belong to");
      if (listed_[i.index]) error(b, i, "instruction is in the list of its block twice");
      listed_[i.index] = true;
      if (!(row.dialects & (1u << static_cast<unsigned>(f.dialect))))
        error(b, i, fmt::format("'{}' does not belong to the {} dialect", row.name, to_string(f.dialect)));
      if (row.has(Terminator) != last)
        error(b, i, last ? "block does not end in a terminator" : "terminator in the middle of a block");
      if (inst.targets.size() < row.min_targets ||
          (row.max_targets != 255 && inst.targets.size() > row.max_targets))
        error(b, i, fmt::format("'{}' has {} targets", row.name, inst.targets.size()));
      for (const Target& t : inst.targets) {
        if (!t.block.valid() || t.block.index >= f.block_count() || f.block(t.block).erased)
          error(b, i, "jump to a block that does not exist");
        else if (t.block == f.entry())
          error(b, i, "jump to the entry block");
      }
    }
  }

  // "i32, the type of an operand before it", or the types of the set.
  static std::string expected_of(Elem bound, TypeSet set, bool result) {
    if (bound != Elem::Void)
      return fmt::format("{}, the type of {}", to_string(Type{bound}),
                         result ? "the operands" : "an operand before it");
    std::string all;
    for (unsigned e = 0; e < static_cast<unsigned>(Elem::Count_); ++e)
      if (set >> e & 1)
        all += fmt::format("{}{}", all.empty() ? "" : " or ", to_string(Type{static_cast<Elem>(e)}));
    return all;
  }

  // What the signature asks for, with types in place of T and U.
  static std::string expected_of(const SigItem& item, Elem t, Elem u, const OpInfo& row, bool result) {
    if (item.text == "T") return expected_of(t, row.T, result);
    if (item.text == "U") return expected_of(u, row.U, result);
    return std::string(item.text);
  }

  bool matches(const SigItem& item, ValueId v, Type type, bool result, Elem& t, Elem& u, const OpInfo& row,
               std::string& why) {
    bool constant = !result && f.is_const(v);
    if (item.imm && constant) return true;
    bool want_lane = item.shape == SigItem::MustLane, want_uniform = item.shape == SigItem::MustUniform;
    bool free_shape = item.any || (f.dialect == Dialect::Wave && (row.has(Elementwise) || row.has(AnyShape)));
    if (want_lane && !type.lane) return why = "expected a lane value", false;
    if ((want_uniform || (!want_lane && !free_shape)) && type.lane)
      return why = "expected a uniform value", false;
    if (item.any) return true;
    auto bind = [&](Elem& var, TypeSet set) {
      if (!(set & set_of(type.elem))) return false;
      if (var == Elem::Void) var = type.elem;
      return var == type.elem;
    };
    if (item.type_t && bind(t, row.T)) return true;
    if (item.type_u && bind(u, row.U)) return true;
    for (Type allowed : item.types)
      if (allowed == type.scalar()) return true;
    why = fmt::format("expected {}, got {}", expected_of(item, t, u, row, result), to_string(type));
    return false;
  }

  void types(BlockId b, InstId i) {
    const Inst& inst = f.inst(i);
    const OpInfo& row = info(inst.op);
    const SigShape& sig = signature_of(inst.op);
    bool repeats = !sig.operands.empty() && sig.operands.back().repeats;
    size_t fixed = sig.operands.size() - (repeats ? 1 : 0);
    if (inst.operands.size() < fixed || (!repeats && inst.operands.size() > fixed))
      return error(b, i,
                   fmt::format("'{}' takes {} operands, got {}", row.name, fixed, inst.operands.size()));
    if (inst.results.size() != sig.results.size())
      return error(
          b, i,
          fmt::format("'{}' gives {} results, not {}", row.name, sig.results.size(), inst.results.size()));
    Elem t = Elem::Void, u = Elem::Void;
    std::string why;
    bool any_lane = false;
    for (size_t k = 0; k < inst.operands.size(); ++k) {
      ValueId v = inst.operands[k];
      if (!v.valid()) return error(b, i, fmt::format("operand {} is missing", k));
      const SigItem& item = sig.operands[std::min(k, sig.operands.size() - 1)];
      if (!matches(item, v, f.type(v), false, t, u, row, why))
        return error(b, i, fmt::format("operand {}: {}", k, why));
      any_lane |= f.type(v).lane;
    }
    for (size_t k = 0; k < inst.results.size(); ++k) {
      if (!matches(sig.results[k], inst.results[k], f.type(inst.results[k]), true, t, u, row, why))
        return error(b, i, fmt::format("result {}: {}", k, why));
      if (row.has(Elementwise) && f.type(inst.results[k]).lane != any_lane)
        return error(b, i, fmt::format("result must be a {} value", any_lane ? "lane" : "uniform"));
    }
    // A mask is not an element: select on masks takes uniform conditions only.
    if (t == Elem::Mask && any_lane) error(b, i, "masks are selected by uniform conditions");
    unsigned from = Type{t}.bits(), to = Type{u}.bits();
    if ((row.relation == Relation::Widens && to <= from) ||
        (row.relation == Relation::Narrows && to >= from) ||
        (row.relation == Relation::SameBits && to != from))
      error(b, i, fmt::format("'{}' cannot go from {} to {} bits", row.name, from, to));
    if (inst.loc.file > f.files.size()) error(b, i, "its place is in no file");
    attributes(b, i);
  }

  void attributes(BlockId b, InstId i) {
    const Inst& inst = f.inst(i);
    const OpInfo& row = info(inst.op);
    for (size_t k = 0; k < row.attr_count(); ++k) {
      auto n = static_cast<size_t>(inst.attrs[k]);
      if (row.attrs[k].kind == AttrKind::Var && n >= f.vars.size()) return error(b, i, "no such variable");
      if (row.attrs[k].kind == AttrKind::Site && n >= f.traps.size()) return error(b, i, "no such trap site");
      if (row.attrs[k].kind == AttrKind::Object && n >= f.objects.size())
        return error(b, i, "no such object");
      if (row.attrs[k].name == "dim" && n > 2) return error(b, i, "dim must be 0, 1 or 2");
      if (row.attrs[k].name == "fold" && !is_fold(inst.attrs[k], f.type(inst.results[0])))
        return error(b, i, "there is no such fold of this type");
    }
    if (inst.op == Op::object_address) {
      Type want = f.objects[static_cast<size_t>(inst.attrs[0])].type;
      if (f.type(inst.results[0]) != want)
        error(b, i, fmt::format("the object's address is of type {}", to_string(want)));
    }
    if (row.has(VarAccess)) {
      ValueId v = inst.results.empty() ? inst.operands[0] : inst.results[0];
      Type want = f.vars[static_cast<size_t>(inst.attrs[0])].type;
      if (f.type(v) != want) error(b, i, fmt::format("the variable is of type {}", to_string(want)));
    }
  }

  void edges(BlockId b, InstId i) {
    const Inst& inst = f.inst(i);
    if (inst.targets.size() > 2 || info(inst.op).max_targets == 255)
      if (inst.targets.size() != inst.operands.size())
        error(b, i, "a switch needs one target for each case and a default");
    for (const Target& t : inst.targets) {
      const auto& params = f.block(t.block).params;
      if (params.size() != t.args.size()) {
        error(
            b, i,
            fmt::format("edge passes {} values to a block with {} parameters", t.args.size(), params.size()));
        continue;
      }
      for (size_t k = 0; k < params.size(); ++k)
        if (!t.args[k].valid())
          error(b, i, fmt::format("edge argument {} is missing", k));
        else if (f.type(t.args[k]) != f.type(params[k]))
          error(b, i,
                fmt::format("edge argument {} is {}, the parameter {}", k, to_string(f.type(t.args[k])),
                            to_string(f.type(params[k]))));
    }
  }

  // Every use is dominated by its definition; wave blocks define their mask before lane operations.
  void dominance() {
    Cfg cfg(f);
    DominatorTree tree(f, cfg);
    std::vector<uint32_t> position(f.inst_count(), 0);
    for (BlockId b : f.layout)
      for (uint32_t k = 0; k < f.block(b).insts.size(); ++k) position[f.block(b).insts[k].index] = k + 1;
    // Whether v is available just before index `at` of block b.
    auto available = [&](ValueId v, BlockId b, uint32_t at) {
      const Value& value = f.value(v);
      if (f.is_inline(v)) return true;
      if (value.kind == ValueKind::Param) {
        BlockId owner(value.owner);
        return !f.block(owner).erased && (owner == b || tree.dominates(owner, b));
      }
      const Inst& def = f.inst(InstId(value.owner));
      if (!def.block.valid()) return false;
      if (def.block == b) return position[value.owner] < at;
      return tree.dominates(def.block, b);
    };
    for (BlockId b : f.layout) {
      if (!cfg.reachable(b)) continue;
      for (InstId i : f.block(b).insts) {
        const Inst& inst = f.inst(i);
        uint32_t at = position[i.index];
        for (ValueId v : inst.operands)
          if (!available(v, b, at))
            error(b, i, fmt::format("{} is used before it is defined on some path", print_operand(f, v)));
        for (const Target& t : inst.targets)
          for (ValueId v : t.args)
            if (!available(v, b, at))
              error(b, i, fmt::format("{} is used before it is defined on some path", print_operand(f, v)));
        if (f.dialect == Dialect::Wave) wave_rule(b, i, available, at);
      }
    }
  }

  template <typename Available>
  void wave_rule(BlockId b, InstId i, Available& available, uint32_t at) {
    const Inst& inst = f.inst(i);
    const OpInfo& row = info(inst.op);
    bool lane = false;
    for (ValueId v : inst.results) lane |= f.type(v).lane;
    for (ValueId v : inst.operands) lane |= f.type(v).lane;
    if (!lane || row.has(VarAccess) || row.has(Terminator)) return;
    ValueId mask = f.block(b).mask;
    if (!mask.valid()) return error(b, i, "lane operation in a block without a mask");
    if (!f.type(mask).is_mask()) return error(b, i, "the block's mask is not of type mask");
    if (!available(mask, b, at)) error(b, i, "lane operation before the block's mask is defined");
  }

  const Function& f;
  std::vector<bool> listed_;  // by instruction: in a block
  std::vector<VerifyError> errors_;
};

}  // namespace

std::vector<VerifyError> verify(const Function& f) { return Verifier(f).run(); }

std::string render(const Function& f, const std::vector<VerifyError>& errors) {
  std::string s;
  for (const VerifyError& e : errors) {
    s += fmt::format("@{}: {}\n", f.name, e.message);
    if (!e.text.empty()) s += "    " + e.text + "\n";
  }
  return s;
}

void verify_or_die(const Function& f, std::string_view where) {
  auto errors = verify(f);
  KC_CHECK(errors.empty(), "after {}: {}\n{}", where, render(f, errors), print(f));
}

}  // namespace kc
