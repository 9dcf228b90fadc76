// SPDX-License-Identifier: Apache-2.0
// The container shared by all dialects: functions of blocks of instructions over typed values, with block
// parameters instead of phis. Constants are values too and print inline (`4:i32`).
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ir/ids.h"
#include "ir/op.h"
#include "ir/owned_list.h"
#include "ir/param_info.h"
#include "ir/stable_list.h"
#include "ir/type.h"
#include "ir/value_list.h"

namespace kc {

/// A source location; line 0 is unknown. File 0 is the compiled one; others index Function::files from 1.
struct Loc {
  uint32_t line = 0, column = 0, file = 0;
  auto operator<=>(const Loc&) const = default;
  bool same_line(Loc other) const { return line == other.line && file == other.file; }
};

enum class ValueKind : uint8_t { Result, Param, Const, Undef };

/// A value's location after register allocation.
struct Location {
  enum Kind : uint8_t { None, Register, Slot } kind = None;
  uint32_t index = 0;  // first register of the class, or stack slot
  bool operator==(const Location&) const = default;
};

struct Value {
  ValueKind kind = ValueKind::Result;
  Type type;
  uint32_t owner = 0;  // instruction of a result, block of a parameter
  uint32_t index = 0;  // index among the results or parameters
  uint64_t bits = 0;   // of a constant; floats as their encoding
  Location location;
};

/// One outgoing edge: the block and a value for each of its parameters.
struct Target {
  BlockId block;
  ValueList args;
  bool operator==(const Target&) const = default;
};

using TargetList = OwnedList<Target>;

/// The order of the members leaves no gaps: large functions have hundreds of thousands.
struct Inst {
  Op op = Op::Count_;
  bool erased = false;
  BlockId block;
  ValueList operands;
  ShortList<ValueId, 2> results;
  Loc loc;
  TargetList targets;
  std::array<int64_t, kMaxAttrs> attrs{};
};

/// Unrolling requested for the loop with this header: an unroll factor, or one of these.
enum UnrollHint : uint32_t { NoUnrollHint = 0, NeverUnroll = 1, UnrollFully = UINT32_MAX };

struct Block {
  std::string hint;                // part of the printed label, for readers only
  uint32_t unroll = NoUnrollHint;  // `unroll` leaves NeverUnroll only
  bool is_rare = false;            // x64: seldom executed, so its code follows that of the others
  bool is_flow = false;            // made by `reconverge`: work-items that diverged wait here for each other
  std::vector<ValueId> params;
  std::vector<InstId> insts;
  ValueId mask;  // wave: the lanes this block runs for
  bool erased = false;
};

struct Var {
  std::string name;
  Type type;
};

/// A named object in memory: per work-item, per work-group, or with constant bytes for all.
struct MemoryObject {
  std::string name;
  Type type;                  // of its address: private, local or constant
  uint64_t size = 0;          // bytes
  uint32_t align = 1;         // a power of two
  std::vector<uint8_t> init;  // of a constant object: all its bytes
};

enum class TrapKind : uint8_t { UncaughtThrow, Assert, DivergentBarrier, OutOfBounds, Count_ };
std::string_view to_string(TrapKind kind);
struct TrapSite {
  TrapKind kind = TrapKind::UncaughtThrow;
  std::string type;  // of the thrown value, the failed condition, or "store of 4 bytes"
  Loc loc;
  std::string object{};  // OutOfBounds: in which the access should be; empty where several are possible
  uint32_t unit = 0;     // then: bytes per index; the value of the trap is the offset in bytes
  bool operator==(const TrapSite&) const = default;
};

/// What a wave or machine function is made for. With it the text of a function can be compiled further.
struct TargetNote {
  struct Argument {
    Type type;
    ParamInfo info;
  };
  std::string name;   // avx512, gfx900
  std::string after;  // of a machine function: the last pass that has run
  std::vector<std::pair<std::string, int64_t>>
      settings{};  // what the code relies on, as the backend names it
  // Of a machine function, whose own parameters are registers:
  std::vector<Argument> arguments{};     // those of the kernel
  std::vector<ValueId> same_in_lanes{};  // vector registers that are equal in all active lanes
  /// The value of a setting, or 0.
  int64_t setting(std::string_view key) const;
};

class Function {
 public:
  std::string name;
  Dialect dialect = Dialect::Thread;
  bool is_kernel = true;
  uint32_t width = 0;                    // lanes of a wave; 0 in thread IR
  std::array<uint32_t, 3> reqd_local{};  // reqd_work_group_size, 0 when absent
  uint32_t reqd_sub_group = 0;           // reqd_sub_group_size, likewise
  std::vector<ParamInfo> params;         // one for each parameter of the entry block
  std::vector<Var> vars;
  std::vector<MemoryObject> objects;
  std::vector<TrapSite> traps;
  std::vector<std::string> files;  // included, or named by #line; the same in all functions of a module
  std::vector<BlockId> layout;     // layout[0] is the entry
  std::optional<TargetNote> target;

  // --- access
  const Value& value(ValueId id) const { return values_[id.index]; }
  Value& value(ValueId id) { return values_[id.index]; }
  const Inst& inst(InstId id) const { return insts_[id.index]; }
  Inst& inst(InstId id) { return insts_[id.index]; }
  const Block& block(BlockId id) const { return blocks_[id.index]; }
  Block& block(BlockId id) { return blocks_[id.index]; }
  Type type(ValueId id) const { return values_[id.index].type; }
  bool is_const(ValueId id) const { return values_[id.index].kind == ValueKind::Const; }
  bool is_undef(ValueId id) const { return values_[id.index].kind == ValueKind::Undef; }
  /// Constants and undef are available everywhere; they have no defining block.
  bool is_inline(ValueId id) const { return is_const(id) || is_undef(id); }
  /// Invalid unless the value is an instruction's result.
  InstId def(ValueId id) const {
    const Value& v = values_[id.index];
    return v.kind == ValueKind::Result ? InstId(v.owner) : InstId();
  }
  BlockId entry() const { return layout.front(); }
  InstId terminator(BlockId id) const { return blocks_[id.index].insts.back(); }
  std::span<const Target> successors(BlockId id) const { return inst(terminator(id)).targets; }
  ValueId result(InstId id, size_t i = 0) const { return inst(id).results[i]; }
  // Sizes of the id spaces, for side tables; erased entities keep their ids.
  size_t value_count() const { return values_.size(); }
  size_t inst_count() const { return insts_.size(); }
  size_t block_count() const { return blocks_.size(); }

  // --- building
  BlockId add_block(std::string hint = {});  // appended to the layout
  ValueId add_param(BlockId block, Type type);
  VarId add_var(std::string name, Type type);
  ObjectId add_object(MemoryObject object);
  ValueId constant(Type type, uint64_t bits);  // interned
  ValueId undef(Type type);                    // interned: all undef of a type are one frozen value
  /// Creates an instruction outside any block.
  InstId create(Op op, ValueList operands, std::span<const Type> results, Loc loc = {});
  void append(BlockId block, InstId inst);
  void insert(BlockId block, size_t position, InstId inst);
  /// Removes the instruction from its block; its id and results stay allotted.
  void erase(InstId inst);
  /// Removes unreachable or emptied blocks, with their instructions, from the layout.
  void erase_blocks(std::span<const BlockId> blocks);
  /// Drops parameter i of the block; the caller drops argument i of every edge into it.
  void remove_param(BlockId block, size_t i);
  ValueId add_result(InstId inst, Type type);
  /// Renumbers the blocks of the layout, their instructions, and the values that those define and use from 0,
  /// in the order of their old ids, on which passes may rely. Old ids and references become invalid.
  void compact_ids();

 private:
  ValueId add_value(Value value);
  ValueId intern(const Value& value);
  /// The slot of the constant or undef in the intern table. The caller must fill an invalid slot, which is
  /// counted already.
  ValueId* place_to_intern(const Value& value);
  std::vector<Value> values_;
  StableList<Inst> insts_;  // references to instructions stay valid when others are created
  std::vector<Block> blocks_;
  std::vector<ValueId> interned_;  // hash table of constants and undef; size is a power of two, or empty
  size_t interned_count_ = 0;
};

/// The block that defines a result or a parameter; invalid for constants and undef.
inline BlockId block_of(const Function& f, ValueId v) {
  const Value& value = f.value(v);
  if (value.kind == ValueKind::Param) return BlockId(value.owner);
  return value.kind == ValueKind::Result ? f.inst(InstId(value.owner)).block : BlockId();
}

/// A wave function that returns at once, with the arguments and memory of a wave function, or of a machine
/// function with a note.
std::unique_ptr<Function> signature_of(const Function& f);

struct Module {
  std::string source_name;
  std::vector<std::unique_ptr<Function>> functions;
  Function* find(std::string_view name) const;
};
/// The file table for source locations in any function of the module.
std::vector<std::string> files_of(const Module& module);

/// Appends instructions at the end of a block. The result type is given by the caller and
/// checked by the verifier.
class Builder {
 public:
  explicit Builder(Function& function) : f(function) {}
  Function& f;
  BlockId block;
  Loc loc;

  InstId emit(Op op, ValueList operands, std::initializer_list<Type> results = {},
              std::initializer_list<int64_t> attrs = {});
  /// Like emit; returns the single result.
  ValueId make(Op op, Type type, ValueList operands, std::initializer_list<int64_t> attrs = {}) {
    return f.result(emit(op, std::move(operands), {type}, attrs));
  }
  ValueId get(VarId var) { return make(Op::var_get, f.vars[var.index].type, {}, {var.index}); }
  void set(VarId var, ValueId v) { emit(Op::var_set, {v}, {}, {var.index}); }
  ValueId object_address(ObjectId object) {
    return make(Op::object_address, f.objects[object.index].type, {}, {object.index});
  }
  InstId br(BlockId to, ValueList args = {});
  InstId br_if(ValueId condition, Target yes, Target no);
  InstId ret() { return emit(Op::ret, {}); }
  ValueId i32(int32_t v) { return f.constant(kI32, static_cast<uint32_t>(v)); }
  ValueId i64(int64_t v) { return f.constant(kI64, static_cast<uint64_t>(v)); }
};

}  // namespace kc
