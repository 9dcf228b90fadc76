// SPDX-License-Identifier: Apache-2.0
// Opcode tables. An opcode is one row of one .def file; the printer, parser, verifier, constant folder,
// interpreters and assembly printers use that row.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "ir/eval.h"
#include "ir/expand.h"
#include "ir/known_bits.h"
#include "ir/type.h"

namespace kc {

enum class Dialect : uint8_t { Thread, Wave, X64, Gcn, Count_ };
std::string_view to_string(Dialect dialect);

/// Sets of dialects that have an opcode.
enum DialectSet : uint8_t { InThread = 1, InWave = 2, InX64 = 4, InGcn = 8, InBoth = InThread | InWave };

enum class Op : uint16_t {
#define OP(id, ...) id,
#include "ir/common.def"
#include "ir/thread.def"
#include "ir/wave.def"
#undef OP
#define OP(id, ...) x64_##id,
#include "backends/x64/isa/ops.def"
#undef OP
#define OP(id, ...) gcn_##id,
#include "backends/gcn/isa/ops.def"
#include "backends/gcn/isa/pseudo.def"
#undef OP
  Count_
};

/// Side effects of an instruction.
enum class Effects : uint8_t {
  None,       // may be removed, CSE'd and moved
  Read,       // reads memory
  Write,      // writes memory, or reads and writes it
  CrossLane,  // reads other active lanes: may be removed, not CSE'd or moved
  Control,    // terminator
};

enum OpFlags : uint16_t {
  Commutes = 1,     // operands 0 and 1 may be swapped
  Elementwise = 2,  // wave: result is a lane value iff an operand is; operands may be uniform
  Terminator = 4,
  LaneSource = 8,      // thread: results differ between work-items
  AnyShape = 16,       // wave: results may be uniform or lane values
  NeedsNonEmpty = 32,  // wave: must not run with an empty mask
  MaskPrologue = 64,   // wave: allowed before the block's mask is defined
  VarAccess = 128,     // reads or writes the variable named by attribute 0
  BlendLanes = 256,    // wave: defined in all lanes where its inputs are, not only under the block's mask
  Convergent = 512,    // convergent: may not become control-dependent on more or fewer conditions
  Atomic = 1024,  // replaces the memory at the first pointer by eval(old, operand), returns the old value
};

/// What kind of operation a row is, where passes and backends treat a kind alike.
enum class OpClass : uint8_t {
  None,
  IntCompare,  // of integers and pointers
  FloatCompare,
  IntDivision,    // quotients and remainders
  Conversion,     // from one element type to another
  Choice,         // operand 1 or 2, as operand 0 says
  LaunchId,       // a position or a size of the launch along dimension `dim`
  LaunchRank,     // the number of dimensions
  SubGroupId,     // the index of a work-item in its sub-group
  SubGroupShape,  // sizes, indices and numbers of sub-groups: known once the width is
  SubGroupFold,   // reductions and scans
  SubGroup,       // other operations among the work-items of a sub-group
};

/// OpInfo::cost of rows that are worth a branch by themselves.
inline constexpr uint8_t kSlow = 255;

enum class AttrKind : uint8_t { None, Int, Var, Site, Object };
struct Attr {
  std::string_view name;
  AttrKind kind = AttrKind::Int;
  int64_t fallback = 0;  // not printed when equal
};
inline constexpr size_t kMaxAttrs = 4;

/// Bits of TypeSet are 1 << Elem.
using TypeSet = uint32_t;
constexpr TypeSet set_of(Elem e) { return 1u << static_cast<unsigned>(e); }
inline constexpr TypeSet AnyInt =
                             set_of(Elem::I8) | set_of(Elem::I16) | set_of(Elem::I32) | set_of(Elem::I64),
                         IntOrBool = AnyInt | set_of(Elem::I1),
                         AnyFloat = set_of(Elem::F32) | set_of(Elem::F64),
                         IdInt = set_of(Elem::I32) | set_of(Elem::I64),
                         MemPtr = set_of(Elem::PtrGlobal) | set_of(Elem::PtrConstant),
                         OwnPtr =
                             set_of(Elem::PtrLocal) | set_of(Elem::PtrPrivate) | set_of(Elem::PtrConstant),
                         SharedPtr = set_of(Elem::PtrGlobal) | set_of(Elem::PtrLocal),
                         AnyPtr = MemPtr | set_of(Elem::PtrLocal) | set_of(Elem::PtrPrivate),
                         Stored = AnyInt | AnyFloat | AnyPtr, Data = Stored | set_of(Elem::I1),
                         SelectData = Data | set_of(Elem::Mask);

enum class Relation : uint8_t { None, Widens, Narrows, SameBits };  // width of U relative to T

/// A register that the machine requires for one operand or result; reg is an index in the class of its type.
struct FixedReg {
  int8_t index = -1;
  int16_t reg = -1;
};

enum class Wait : uint8_t { None, Vm, Lgkm };

/// Columns for machine dialects only.
struct MachineInfo {
  std::string_view mnemonic{};  // assembly name if different from the opcode's
  int8_t tied = -1;             // operand whose register result 0 shares
  int8_t tied_second = -1;      // the same for result 1
  bool early_clobber = false;   // results must not share registers with operands
  std::array<FixedReg, 3> fixed_operands{};
  std::array<FixedReg, 3> fixed_results{};
  std::array<uint32_t, 3> clobbers{};  // per register class of the dialect, bit = register
  uint8_t memory = 0;     // operands, as bits, that may be in memory instead of a register: one of them
  uint8_t broadcast = 0;  // bytes of the element that memory may hold for all elements of such an operand
  bool swaps = false;     // operands 0 and 1 may be exchanged
  Wait wait = Wait::None;
  uint16_t form = 0;  // encoding or syntax family, private to the backend
  uint16_t uses = 0;  // hidden state (exec, vcc, scc, m0, flags), bits private to the backend
  uint16_t defs = 0;
  uint64_t extra = 0;         // private to the backend (an encoder's instruction id, for example)
  std::string_view syntax{};  // assembly with placeholders for operands, in the backend's notation
  // The element types of `eval` in registers, and the function for a second output (a carry, a condition
  // code) of the same operands.
  Elem source = Elem::Void, dest = Elem::Void;
  EvalSelect status = nullptr;
};

/// `signature` is "operand operand ... -> result ...". Each is an optional "l:" (lane value) or "u:"
/// (uniform), then alternatives separated by '|': a type name, T or U (type variables, restricted by the
/// row's sets), "any", or "imm" (a constant). A trailing "*" repeats the last operand.
struct OpInfo {
  std::string_view name{};
  uint8_t dialects = 0;
  std::string_view signature{};
  TypeSet T = 0, U = 0;
  Relation relation = Relation::None;
  Effects effects = Effects::None;
  uint16_t flags = 0;
  OpClass op_class = OpClass::None;
  uint8_t min_targets = 0, max_targets = 0;  // 255: any number
  std::array<Attr, kMaxAttrs> attrs{};
  EvalSelect eval = nullptr;
  KnownFn known = nullptr;    // known bits and intervals of an integer result
  uint8_t cost = 1;           // of elements of 32 bits, in simple operations of a wave; or kSlow
  ExpandFn expand = nullptr;  // thread: expansion into other opcodes, for machines without this one
  Op lanes = Op::Count_;      // thread: the wave row that does the same for the lanes of a mask
  Op uniform = Op::Count_;    // thread: the wave row that does the same once for the wave
  MachineInfo machine{};
  std::string_view doc{};

  bool has(OpFlags flag) const { return (flags & flag) != 0; }
  size_t attr_count() const;
};

inline constexpr size_t kOpCount = static_cast<size_t>(Op::Count_);

extern const std::array<OpInfo, kOpCount> kOpTable;
inline const OpInfo& info(Op op) { return kOpTable[static_cast<size_t>(op)]; }
inline OpClass class_of(Op op) { return info(op).op_class; }
constexpr bool is_comparison(OpClass c) { return c == OpClass::IntCompare || c == OpClass::FloatCompare; }
constexpr bool is_launch_value(OpClass c) { return c == OpClass::LaunchId || c == OpClass::LaunchRank; }
constexpr bool is_sub_group(OpClass c) {
  return c == OpClass::SubGroupId || c == OpClass::SubGroupShape || c == OpClass::SubGroupFold ||
         c == OpClass::SubGroup;
}
/// Whether the thread or wave opcode loads from a pointer of work-items; or stores through it, without a
/// result.
constexpr bool loads(Op op) {
  return op == Op::load || op == Op::volatile_load || op == Op::lane_load || op == Op::lane_volatile_load;
}
constexpr bool stores(Op op) {
  return op == Op::store || op == Op::volatile_store || op == Op::lane_store || op == Op::lane_volatile_store;
}
/// Whether the wave opcode stores once for the wave, without a result.
constexpr bool uniform_stores(Op op) { return op == Op::uniform_store || op == Op::uniform_volatile_store; }
std::string_view name_of(Op op);
/// The opcode called `name` in `dialect`, or Op::Count_.
Op find_op(Dialect dialect, std::string_view name);
/// Name in assembly: the mnemonic column, or the row's name.
std::string_view mnemonic_of(Op op);

/// One operand or result of a parsed signature.
struct SigItem {
  enum Shape : uint8_t { ByDialect, MustLane, MustUniform } shape = ByDialect;
  bool type_t = false, type_u = false, any = false, imm = false, repeats = false;
  std::vector<Type> types;
  std::string_view text;
};
struct SigShape {
  std::vector<SigItem> operands, results;
};
const SigShape& signature_of(Op op);

}  // namespace kc
