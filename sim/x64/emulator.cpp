// SPDX-License-Identifier: Apache-2.0
#include "sim/x64/emulator.h"

#include <fmt/format.h>

#include <algorithm>

#include <bit>

#include "sim/x64/machine.h"

namespace kc {
namespace x64sim {

namespace {
constexpr uint64_t kReturnAddress = 0x5aa5'0000'dead'0000u;
constexpr uint8_t kPreserved[] = {Rbx, Rbp, 12, 13, 14, 15};
uint64_t marker(unsigned reg) { return 0xc0ffee00'00000000u + reg; }
bool within(const MemoryRange& r, uint64_t address, uint64_t bytes) {
  return address >= r.base && bytes <= r.size && address - r.base <= r.size - bytes;
}
std::string name_of(const Reg& r) {
  const char* file = r.file == File::Gpr ? "general register " : r.file == File::Vec ? "zmm" : "k";
  return fmt::format("{}{}", file, r.index);
}
}  // namespace

Machine::Machine(const Program& program, std::span<const MemoryRange> memory, const X64RunOptions& options)
    : p_(program), memory_(memory), options_(options) {
  stack_.resize((options.stack_bytes + 63) / 64);
  stack_known_.assign(stack_.size() * 64, 0);
}

void Machine::fail(std::string message) {
  if (!failed_) message_ = std::move(message);
  failed_ = true;
}

// --- registers

uint64_t Machine::read(const Reg& r) {
  unsigned mask = (1u << r.bytes) - 1;
  if ((gpr_known_[r.index] & mask) != mask) fail(name_of(r) + " is read before it is written");
  return low_bits(gpr_[r.index], r.bytes * 8u);
}

void Machine::write(const Reg& r, uint64_t v) {
  if (r.bytes >= 4) {
    gpr_[r.index] = low_bits(v, r.bytes * 8u);
    gpr_known_[r.index] = 0xff;
    return;
  }
  uint64_t kept = (uint64_t{1} << (r.bytes * 8)) - 1;
  gpr_[r.index] = (gpr_[r.index] & ~kept) | (v & kept);
  gpr_known_[r.index] |= static_cast<uint8_t>((1u << r.bytes) - 1);
}

const Vec& Machine::vec(const Reg& r) {
  if (!written(r)) fail(name_of(r) + " is read before it is written");
  return vec_[r.index];
}

bool Machine::written(const Reg& r) const { return vec_known_ >> r.index & 1; }

void Machine::write_vec(unsigned index, unsigned bytes, const Vec& v) {
  vec_[index] = v;
  std::memset(vec_[index].bytes + bytes, 0, 64 - bytes);
  vec_known_ |= 1u << index;
  if (bytes > 16 && index < 16) upper_dirty_ = true;
}

void Machine::forget_upper() {
  for (unsigned i = 0; i < 16; ++i) std::memset(vec_[i].bytes + 16, 0, 48);
  upper_dirty_ = false;
}

uint64_t Machine::k(unsigned index) {
  if (!(k_known_ >> index & 1)) fail(fmt::format("k{} is read before it is written", index));
  return k_[index];
}

void Machine::write_k(unsigned index, uint64_t v) {
  k_[index] = v;
  k_known_ |= static_cast<uint8_t>(1u << index);
}

// --- operands

// Without a vector index, which gathers and scatters add.
uint64_t Machine::address(const Operand& o) {
  auto a = static_cast<uint64_t>(o.imm);
  if (o.rip) {
    const Inst& inst = p_.insts[next_];
    return a + reinterpret_cast<uint64_t>(p_.image.data()) + inst.offset + inst.length;
  }
  if (o.reg.file == File::Gpr) a += read(o.reg);
  if (o.index.file == File::Gpr) a += read(o.index) * o.scale;
  return a;
}

uint64_t Machine::value(const Operand& o, unsigned bytes) {
  if (o.kind == Operand::Immediate) return low_bits(static_cast<uint64_t>(o.imm), bytes * 8);
  if (o.is_mem()) return load(address(o), bytes);
  return read(o.reg);
}

void Machine::set_value(const Operand& o, uint64_t v) {
  if (o.is_mem())
    store(address(o), o.bytes, &v);
  else
    write(o.reg, v);
}

Vec Machine::vector(const Operand& o) {
  if (!o.is_mem()) {
    Vec v = vec(o.reg);
    std::memset(v.bytes + o.reg.bytes, 0, 64u - o.reg.bytes);
    return v;
  }
  Vec v;
  load_vector(address(o), o.bytes, v.bytes);
  for (unsigned i = 1; i < o.broadcast; ++i) std::memcpy(v.bytes + i * o.bytes, v.bytes, o.bytes);
  return v;
}

uint64_t Machine::active(const Inst& inst, unsigned lanes) {
  return low_bits(inst.mask ? k(inst.mask) : ~uint64_t{0}, lanes);
}

void Machine::result(const Inst& inst, const Vec& v, unsigned bytes, unsigned bits) {
  const Operand& dst = inst.operands[0];
  unsigned lanes = bytes * 8 / bits;
  uint64_t lanes_on = active(inst, lanes);
  if (dst.is_mem()) {
    uint64_t base = address(dst);
    for (unsigned i = 0; i < lanes && !failed_; ++i)
      if (lanes_on >> i & 1) store(base + i * bits / 8, bits / 8, v.bytes + i * bits / 8);
    return;
  }
  Vec r = v;
  if (lanes_on != low_bits(~uint64_t{0}, lanes)) {
    Vec old = inst.zeroing ? Vec() : vec(dst.reg);
    for (unsigned i = 0; i < lanes; ++i)
      if (!(lanes_on >> i & 1)) r.set(bits, i, old.get(bits, i));
  }
  if (!failed_) write_vec(dst.reg.index, bytes, r);
}

bool Machine::check_aligned(const Operand& o) {
  if (!o.is_mem() || address(o) % o.bytes == 0) return true;
  fail(fmt::format("address {:#x} is not a multiple of {}", address(o), o.bytes));
  return false;
}

// --- memory

const uint8_t* Machine::find(uint64_t address, unsigned bytes, bool write) {
  auto stack = reinterpret_cast<uint64_t>(stack_.data());
  if (within({stack, stack_known_.size()}, address, bytes)) {
    if (address < gpr_[Rsp]) {
      fail(fmt::format("{:#x} lies below the stack pointer", address));
      return nullptr;
    }
    uint8_t* known = stack_known_.data() + (address - stack);
    for (unsigned i = 0; i < bytes; ++i) {
      if (!write && !known[i]) fail(fmt::format("the stack at {:#x} is read before it is written", address));
      known[i] = 1;
    }
    return reinterpret_cast<const uint8_t*>(address);
  }
  for (const MemoryRange& r : memory_)
    if (within(r, address, bytes)) return reinterpret_cast<const uint8_t*>(address);
  if (!write) {
    for (const MemoryRange& r : options_.constant)
      if (within(r, address, bytes)) return reinterpret_cast<const uint8_t*>(address);
    if (within({reinterpret_cast<uint64_t>(p_.image.data()), p_.image_bytes}, address, bytes))
      return reinterpret_cast<const uint8_t*>(address);
  }
  fail(fmt::format("{} of {} bytes at {:#x} lies outside all ranges", write ? "store" : "load", bytes,
                   address));
  return nullptr;
}

void Machine::load(uint64_t address, unsigned bytes, void* to) {
  // Vectors of members may end behind the last one of local memory.
  auto ends_in = [&](const MemoryRange& r) {
    return address < r.base && address + bytes > r.base && address + bytes <= r.base + r.size;
  };
  if (bytes >= 16 && std::ranges::any_of(options_.spare, ends_in)) return load_window(address, bytes, to);
  if (const uint8_t* p = failed_ ? nullptr : find(address, bytes, false)) std::memcpy(to, p, bytes);
}

uint64_t Machine::load(uint64_t address, unsigned bytes) {
  uint64_t v = 0;
  load(address, bytes, &v);
  return v;
}

std::optional<uint8_t> Machine::byte_near(uint64_t at, bool& inside) const {
  constexpr uint64_t kPage = 4096;
  constexpr uint8_t kOutside = 0xdb;
  auto covers = [&](const MemoryRange& r) { return within(r, at, 1); };
  auto shares_page = [&](const MemoryRange& r) {
    return r.size != 0 && r.base / kPage <= at / kPage && at / kPage <= (r.base + r.size - 1) / kPage;
  };
  auto any = [&](auto&& which) {
    return std::ranges::any_of(memory_, which) || std::ranges::any_of(options_.constant, which);
  };
  if (any(covers)) {
    inside = true;
    return *reinterpret_cast<const uint8_t*>(at);
  }
  if (std::ranges::any_of(options_.spare, covers) || any(shares_page)) return kOutside;
  return std::nullopt;
}

uint64_t Machine::load_element(uint64_t address, unsigned bytes) {
  if (bytes != 4) return load(address, bytes);
  uint64_t v = 0;
  bool inside = false;
  for (unsigned i = 0; i < bytes; ++i) {
    const auto byte = byte_near(address + i, inside);
    if (!byte) return load(address, bytes);
    v |= uint64_t{*byte} << (8 * i);
  }
  return inside ? v : load(address, bytes);
}

void Machine::load_window(uint64_t address, unsigned bytes, void* to) {
  auto* out = static_cast<uint8_t*>(to);
  bool inside = false;
  for (uint64_t at = address; at < address + bytes && !failed_; ++at, ++out)
    if (const auto byte = byte_near(at, inside))
      *out = *byte;
    else
      load(at, 1, out);
}

void Machine::load_vector(uint64_t address, unsigned bytes, void* to) {
  constexpr unsigned kShortest = 8;
  const MemoryRange own[] = {{reinterpret_cast<uint64_t>(stack_.data()), stack_known_.size()},
                             {reinterpret_cast<uint64_t>(p_.image.data()), p_.image_bytes}};
  const auto touches = [&](const MemoryRange& r) {
    return address < r.base + r.size && r.base < address + bytes;
  };
  const auto holds = [&](const MemoryRange& r) { return within(r, address, bytes); };
  if (bytes < kShortest || std::ranges::any_of(memory_, holds) || std::ranges::any_of(own, touches))
    return load(address, bytes, to);
  uint8_t near[64];
  bool inside = false;
  for (unsigned i = 0; i < bytes; ++i) {
    const auto byte = byte_near(address + i, inside);
    if (!byte) return load(address, bytes, to);
    near[i] = *byte;
  }
  std::memcpy(to, near, bytes);
}

void Machine::store(uint64_t address, unsigned bytes, const void* from) {
  if (const uint8_t* p = failed_ ? nullptr : find(address, bytes, true))
    std::memcpy(const_cast<uint8_t*>(p), from, bytes);
}

// Saving a register that the caller left unwritten is allowed.
void Machine::push(const Reg& r) {
  gpr_[Rsp] -= 8;
  store(gpr_[Rsp], 8, &gpr_[r.index]);
}

void Machine::pop(const Reg& r) {
  uint64_t v = load(gpr_[Rsp], 8);
  gpr_[Rsp] += 8;
  write(r, v);
}

// --- flags and flow

void Machine::set_flags(uint8_t which, uint8_t values) {
  flags_ = static_cast<uint8_t>((flags_ & ~which) | (values & which));
  flags_known_ |= which;
}

bool Machine::flag(Flag f) {
  if (!(flags_known_ & f)) fail("a flag is read before it is written");
  return flags_ & f;
}

// In encoding order; odd conditions negate.
bool Machine::condition(unsigned cc) {
  auto of = [&] {
    switch (cc / 2) {
      case 0:
        return flag(Overflow);
      case 1:
        return flag(Carry);
      case 2:
        return flag(Zero);
      case 3:
        return flag(Carry) || flag(Zero);
      case 4:
        return flag(Sign);
      case 5:
        return flag(Parity);
      case 6:
        return flag(Sign) != flag(Overflow);
      default:
        return flag(Zero) || flag(Sign) != flag(Overflow);
    }
  };
  return of() != (cc % 2 == 1);
}

void Machine::jump(int64_t offset) {
  if (offset < 0 || static_cast<size_t>(offset) >= p_.at.size() || p_.at[static_cast<size_t>(offset)] < 0)
    return fail(fmt::format("jump to {:#x}, where no instruction starts", offset));
  // The main loop adds one.
  next_ = static_cast<size_t>(p_.at[static_cast<size_t>(offset)]) - 1;
}

void Machine::jump_to(uint64_t address) {
  jump(static_cast<int64_t>(address - reinterpret_cast<uint64_t>(p_.image.data())));
}

void Machine::leave() {
  if (gpr_[Rsp] != entry_rsp_) return fail("the stack pointer is not what it was at entry");
  if (load(gpr_[Rsp], 8) != kReturnAddress) return fail("the return address was overwritten");
  for (uint8_t r : kPreserved)
    if (gpr_[r] != marker(r)) return fail(fmt::format("general register {} is not preserved", r));
  if (upper_dirty_) return fail("return without vzeroupper");
  done_ = true;
}

X64Result Machine::run(const void* context) {
  X64Result result;
  uint64_t top = reinterpret_cast<uint64_t>(stack_.data()) + stack_known_.size();
  write({File::Gpr, Rsp, 8}, top - 8);  // as after a call
  for (uint8_t r : kPreserved) gpr_[r] = marker(r), gpr_known_[r] = 0;
  entry_rsp_ = gpr_[Rsp];
  store(entry_rsp_, 8, &kReturnAddress);
  write({File::Gpr, Rdi, 8}, reinterpret_cast<uint64_t>(context));
  for (next_ = 0; !done_; ++next_) {
    if (next_ >= p_.insts.size()) {
      result.status = X64Result::Error, result.message = "execution runs past the code";
      return result;
    }
    const Inst& inst = p_.insts[next_];
    if (result.steps >= options_.max_steps) fail("the step limit is reached");
    if (!failed_) inst.row->exec(*this, inst);
    if (failed_) {
      result.status = X64Result::Error;
      result.message = fmt::format("{:#x}: {}: {}", inst.offset, inst.text, message_);
      return result;
    }
    ++result.steps;
    ++result.executed[static_cast<size_t>(inst.kind)];
  }
  return result;
}

}  // namespace x64sim

X64Result run_x64(const X64Program& program, const void* wave_context, std::span<const MemoryRange> memory,
                  const X64RunOptions& options) {
  return x64sim::Machine(program.get(), memory, options).run(wave_context);
}

std::string_view to_string(X64Class c) {
  constexpr std::string_view kNames[] = {"general", "branch", "vector", "mask",
                                         "load",    "store",  "gather", "scatter"};
  return kNames[static_cast<size_t>(c)];
}

}  // namespace kc
