// SPDX-License-Identifier: Apache-2.0
// Shared by the files of the x86-64 emulator: decoded instructions, the instruction table, the machine.
#pragma once

#include <array>
#include <cstring>
#include <map>
#include <optional>

#include "sim/x64/emulator.h"

namespace kc::x64sim {

enum class File : uint8_t { None, Gpr, Vec, Mask };

struct Reg {
  File file = File::None;
  uint8_t index = 0;
  uint8_t bytes = 0;
  bool operator==(const Reg&) const = default;
};

struct Operand {
  enum Kind : uint8_t { None, Register, Memory, Immediate } kind = None;
  Reg reg;    // or the base
  Reg index;  // of an address
  uint8_t scale = 1;
  uint8_t bytes = 0;      // of the access; a broadcast reads one element
  uint8_t broadcast = 0;  // number of elements
  bool rip = false;       // imm is relative to the image
  int64_t imm = 0;        // immediate, displacement or jump target
  bool is_mem() const { return kind == Memory; }
};

class Machine;
struct Inst;
using Exec = void (*)(Machine& m, const Inst& inst);
using LaneFn = uint64_t (*)(const uint64_t* sources, unsigned imm);

enum RowFlags : uint8_t {
  ReadsDst = 1,  // operand 0 is the first source
  Compares = 2,  // the result is 0 or 1: a mask bit, or an element of equal bits
  Aligned = 4,   // memory must be aligned to its size
  Idiom = 8,     // equal sources may be unwritten
  LowOnly = 16,  // scalar forms with one data source: operand 2
};

// One mnemonic. The form lists the permitted kinds of each operand: r general register, v vector, k mask, m
// memory, i immediate; '?' marks an optional one.
struct Row {
  std::string_view name;
  std::string_view form;
  X64Class kind = X64Class::General;
  Exec exec = nullptr;
  uint8_t dst_bits = 0, src_bits = 0;  // of elements
  LaneFn lane = nullptr;
  uint8_t flags = 0;
  uint8_t param = 0;  // condition, predicate or width, depending on the function
};

std::span<const Row> general_rows();
std::span<const Row> lane_rows();
std::span<const Row> float_rows();
std::span<const Row> convert_rows();
std::span<const Row> shuffle_rows();
std::span<const Row> mask_rows();
std::span<const Row> memory_rows();
/// All rows by name.
const std::map<std::string_view, const Row*>& table();

struct Inst {
  const Row* row = nullptr;
  uint32_t offset = 0, length = 0;
  std::array<Operand, 5> operands{};
  uint8_t count = 0;
  uint8_t mask = 0;  // write mask, 0: none
  bool zeroing = false;
  X64Class kind = X64Class::General;
  std::string text;
  /// The last operand if it is an immediate.
  bool has_imm() const { return count && operands[count - 1u].kind == Operand::Immediate; }
  unsigned imm() const { return has_imm() ? static_cast<unsigned>(operands[count - 1u].imm & 0xff) : 0; }
  unsigned sources() const { return count - 1u - (has_imm() ? 1u : 0u); }
};

struct alignas(64) Line {
  uint8_t bytes[64] = {};
};

struct Program {
  std::vector<Line> image;
  size_t image_bytes = 0;
  std::vector<Inst> insts;
  std::vector<int32_t> at;  // offset to index, -1 inside an instruction
};

/// The content of a vector register. Element 0 is the lowest.
struct Vec : Line {
  uint64_t get(unsigned bits, unsigned i) const {
    uint64_t v = 0;
    std::memcpy(&v, bytes + i * bits / 8, bits / 8);
    return v;
  }
  void set(unsigned bits, unsigned i, uint64_t v) { std::memcpy(bytes + i * bits / 8, &v, bits / 8); }
};

enum Flag : uint8_t { Carry = 1, Parity = 2, Zero = 4, Sign = 8, Overflow = 16, AllFlags = 31 };
enum GprName : uint8_t { Rax, Rcx, Rdx, Rbx, Rsp, Rbp, Rsi, Rdi };

class Machine {
 public:
  Machine(const Program& program, std::span<const MemoryRange> memory, const X64RunOptions& options);
  X64Result run(const void* context);

  bool failed() const { return failed_; }
  void fail(std::string message);

  // --- registers
  uint64_t read(const Reg& r);
  void write(const Reg& r, uint64_t v);
  const Vec& vec(const Reg& r);
  /// Bytes above `bytes` are zeroed.
  void write_vec(unsigned index, unsigned bytes, const Vec& v);
  bool written(const Reg& r) const;
  void forget_upper();
  uint64_t k(unsigned index);
  void write_k(unsigned index, uint64_t v);

  // --- operands
  uint64_t address(const Operand& o);
  /// General registers, immediates and memory of up to 8 bytes.
  uint64_t value(const Operand& o, unsigned bytes);
  void set_value(const Operand& o, uint64_t v);
  /// Whole vectors: a register, memory, or a broadcast memory element.
  Vec vector(const Operand& o);
  /// Writes operand 0 element by element under the write mask.
  void result(const Inst& inst, const Vec& v, unsigned bytes, unsigned bits);
  /// Lanes whose write mask bit is set.
  uint64_t active(const Inst& inst, unsigned lanes);
  bool check_aligned(const Operand& o);

  // --- memory
  uint64_t load(uint64_t address, unsigned bytes);
  void load(uint64_t address, unsigned bytes, void* to);
  void store(uint64_t address, unsigned bytes, const void* from);
  /// A byte of a range, where `inside` becomes true; or one that is not zero, if part of a range is in its
  /// page, or it is in the spare memory. None elsewhere.
  std::optional<uint8_t> byte_near(uint64_t at, bool& inside) const;
  /// Loads an element of a gather. Of a word one byte must be in a range; the others may be near.
  uint64_t load_element(uint64_t address, unsigned bytes);
  /// Loads bytes that are in ranges or near.
  void load_window(uint64_t address, unsigned bytes, void* to);
  /// Loads a vector without a mask. Its bytes may be near: what idle lanes have in the page of an active one
  /// is read, too.
  void load_vector(uint64_t address, unsigned bytes, void* to);
  void push(const Reg& r);
  void pop(const Reg& r);

  // --- flags and flow
  void set_flags(uint8_t which, uint8_t values);
  void undefine_flags(uint8_t which) { flags_known_ &= static_cast<uint8_t>(~which); }
  bool condition(unsigned cc);
  bool flag(Flag f);
  void jump(int64_t offset);
  /// Jumps to an address in the image.
  void jump_to(uint64_t address);
  void leave();

 private:
  const uint8_t* find(uint64_t address, unsigned bytes, bool write);

  const Program& p_;
  std::span<const MemoryRange> memory_;
  const X64RunOptions& options_;
  uint64_t gpr_[16] = {};
  uint8_t gpr_known_[16] = {};  // by byte
  Vec vec_[32];
  uint32_t vec_known_ = 0;
  bool upper_dirty_ = false;
  uint64_t k_[8] = {};
  uint8_t k_known_ = 0;
  uint8_t flags_ = 0, flags_known_ = 0;
  std::vector<Line> stack_;
  std::vector<uint8_t> stack_known_;
  uint64_t entry_rsp_ = 0;
  size_t next_ = 0;
  bool failed_ = false, done_ = false;
  std::string message_;
};

// Execution functions used by several files.
void exec_lanes(Machine& m, const Inst& inst);
void exec_scalar(Machine& m, const Inst& inst);

inline int64_t sign_extend(uint64_t v, unsigned bits) {
  return bits >= 64 ? static_cast<int64_t>(v) : static_cast<int64_t>(v << (64 - bits)) >> (64 - bits);
}
inline uint64_t low_bits(uint64_t v, unsigned bits) {
  return bits >= 64 ? v : v & ((uint64_t{1} << bits) - 1);
}

}  // namespace kc::x64sim
