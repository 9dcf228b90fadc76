// SPDX-License-Identifier: Apache-2.0
// Prints one instruction in the syntax of LLVM's assembler, as its opcode table entry describes it.
#include <fmt/format.h>

#include "backends/gcn/machine.h"

namespace kc::gcn {
namespace {

std::string range(char letter, uint32_t first, uint32_t count) {
  return count == 1 ? fmt::format("{}{}", letter, first)
                    : fmt::format("{}[{}:{}]", letter, first, first + count - 1);
}

std::string immediate_text(int64_t v, bool is_float) {
  if (is_float) {
    switch (static_cast<uint32_t>(v)) {
      case 0x3f000000u:
        return "0.5";
      case 0xbf000000u:
        return "-0.5";
      case 0x3f800000u:
        return "1.0";
      case 0xbf800000u:
        return "-1.0";
      case 0x40000000u:
        return "2.0";
      case 0xc0000000u:
        return "-2.0";
      case 0x40800000u:
        return "4.0";
      case 0xc0800000u:
        return "-4.0";
      default:
        break;
    }
  }
  if (v >= -16 && v <= 64) return fmt::format("{}", v);
  return fmt::format("{:#x}", static_cast<uint32_t>(v));
}

std::string register_text(const Register& r, bool is_float) {
  if (r.kind == Register::Immediate) return immediate_text(r.imm, is_float);
  if (r.kind == Register::Vector) return range('v', r.first, r.count);
  bool pair = r.count == 2;
  switch (r.first) {
    case kVcc:
      return pair ? "vcc" : "vcc_lo";
    case kExec:
      return pair ? "exec" : "exec_lo";
    case kM0:
      return "m0";
    default:
      return range('s', r.first, r.count);
  }
}

}  // namespace

// The equivalent flat scratch instruction on machines that have it: data, lane offset or `off`, scalar offset
// or `off`. Selection accesses private memory only by buffer opcodes.
static std::string flat_scratch(const MachineInst& inst) {
  const bool store = info(inst.op).effects == Effects::Write, lanes = info(inst.op).machine.form == Buffer;
  const std::string name(mnemonic_of(inst.op).substr(std::string_view("buffer").size()));
  const size_t first = store ? 1 : 0;
  const std::string data = register_text(store ? inst.operands[0] : inst.results[0], false);
  const std::string lane = lanes ? register_text(inst.operands[first], false) : "off";
  const Register& base = inst.operands.back();
  const std::string scalar = base.first == kScratchOffset ? "off" : register_text(base, false);
  return fmt::format("scratch{} {}, {}, {}{}", name, store ? lane : data, store ? data : lane, scalar,
                     inst.attrs[0] ? fmt::format(" offset:{}", inst.attrs[0]) : "");
}

std::string print_instruction(const MachineInst& inst, const MachineModel& model) {
  const OpInfo& row = info(inst.op);
  const bool buffer = row.machine.form == Buffer || row.machine.form == BufferOff;
  if (model.flat_scratch && buffer) return flat_scratch(inst);
  const MachineInfo& machine = row.machine;
  bool is_float = machine.source == Elem::F32 || machine.source == Elem::F64;
  std::vector<std::string> parts;
  for (const Register& r : inst.results) parts.push_back(register_text(r, false));
  for (size_t i = 0; i < inst.operands.size(); ++i) {
    if (static_cast<int>(i) == machine.tied || (machine.extra & InOut)) continue;
    std::string text = register_text(inst.operands[i], is_float);
    if (is_float && (inst.attrs[1] >> i & 1)) text = "|" + text + "|";
    if (is_float && (inst.attrs[0] >> i & 1)) text = "-" + text;
    parts.push_back(std::move(text));
  }
  // The base of a global access is last; the lane offset of a scratch access is between data and descriptor.
  if (machine.form == Global) parts.push_back("off");
  if (machine.form == BufferOff) parts.insert(parts.begin() + 1, "off");
  std::string s(mnemonic_of(inst.op));
  for (size_t i = 0; i < parts.size(); ++i) s += (i ? ", " : " ") + parts[i];
  if (inst.op == Op::gcn_s_waitcnt) {
    if (inst.attrs[0] != row.attrs[0].fallback) s += fmt::format(" vmcnt({})", inst.attrs[0]);
    if (inst.attrs[1] != row.attrs[1].fallback) s += fmt::format(" lgkmcnt({})", inst.attrs[1]);
  }
  if (machine.form == Buffer) s += " offen";
  if (machine.extra & TwoOffsets)
    s += fmt::format(" offset0:{} offset1:{}", inst.attrs[0], inst.attrs[1]);
  else if ((is_vmem(machine.form) || machine.form == Ds) && inst.attrs[0])
    s += fmt::format(" offset:{}", inst.attrs[0]);
  // An atomic operation that returns the old value; those of local memory have opcodes of their own.
  const bool gives_old = is_vmem(machine.form) && (machine.extra & Atomic) && !inst.results.empty();
  const bool past_caches = (machine.form == Global || machine.form == GlobalBase) && inst.attrs[1];
  if (gives_old || past_caches) s += model.flat_scratch ? " sc0" : " glc";
  return s;
}

}  // namespace kc::gcn
