// SPDX-License-Identifier: Apache-2.0
#include <asmjit/x86.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <unordered_map>

#include "backends/x64/assembly.h"
#include "ir/check.h"

namespace kc::x64 {
namespace {

namespace x86 = asmjit::x86;

asmjit::Operand to_reg(AsmReg r) {
  switch (r.file) {
    case File::Gpr:
      switch (r.bytes) {
        case 1:
          return x86::gpb_lo(r.index);
        case 2:
          return x86::gpw(r.index);
        case 4:
          return x86::gpd(r.index);
        default:
          return x86::gpq(r.index);
      }
    case File::Vec:
      if (r.bytes == 16) return x86::xmm(r.index);
      if (r.bytes == 32) return x86::ymm(r.index);
      return x86::zmm(r.index);
    case File::Mask:
      return x86::k(r.index);
    case File::None:
      break;
  }
  return {};
}

unsigned shift_of(unsigned scale) { return scale == 8 ? 3 : scale == 4 ? 2 : scale == 2 ? 1 : 0; }

class Encoder {
 public:
  explicit Encoder(bool avx512) : avx512_(avx512), checks_(internal_checks()) {
    code_.init(asmjit::Environment(asmjit::Arch::kX64));
    code_.attach(&as_);
  }

  Encoded run(const Assembly& a) {
    labels_.reserve(a.labels);
    for (uint32_t i = 0; i < a.labels; ++i) labels_.push_back(as_.newLabel());
    pool_ = as_.newLabel();
    Encoded result;
    auto place = a.places.begin();
    for (size_t i = 0; i < a.insts.size(); ++i) {
      for (; place != a.places.end() && place->at == i; ++place)
        result.places.push_back({static_cast<uint32_t>(as_.offset()), place->loc});
      if (std::string error = instruction(a.insts[i]); !error.empty())
        return {.bytes = {}, .error = std::move(error)};
    }
    result.code_bytes = static_cast<uint32_t>(as_.offset());
    as_.align(asmjit::AlignMode::kData, 64);
    as_.bind(pool_);
    if (!a.pool.empty()) as_.embed(a.pool.data(), a.pool.size());
    code_.flatten();
    code_.resolveUnresolvedLinks();
    result.bytes.resize(code_.codeSize());
    code_.copyFlattenedData(result.bytes.data(), result.bytes.size());
    return result;
  }

 private:
  std::string instruction(const AsmInst& inst) {
    if (inst.aligned) as_.align(asmjit::AlignMode::kCode, kLoopAlignment);
    if (inst.label >= 0) as_.bind(labels_[static_cast<size_t>(inst.label)]);
    if (inst.mnemonic.empty()) return {};
    auto [it, fresh] = ids_.try_emplace(inst.mnemonic, 0);
    if (fresh)
      it->second =
          asmjit::InstAPI::stringToInstId(asmjit::Arch::kX64, inst.mnemonic.data(), inst.mnemonic.size());
    asmjit::BaseInst base(it->second);
    if (inst.mask >= 0) {
      base.setExtraReg(x86::k(static_cast<uint32_t>(inst.mask)));
      if (inst.zeroing) base.addOptions(asmjit::InstOptions::kX86_ZMask);
    }
    if (inst.lock) base.addOptions(asmjit::InstOptions::kX86_Lock);
    asmjit::Operand_ operands[kMostOperands];
    for (auto& o : operands) o.reset();
    for (size_t i = 0; i < inst.count; ++i) operands[i] = operand(inst.operands[i]);
    as_.setInstOptions(base.options());
    as_.setExtraReg(base.extraReg());
    asmjit::Error error = as_.emitOpArray(it->second, operands, inst.count);
    if (error == asmjit::kErrorOk) return checks_ ? missing_feature(inst, base, operands) : std::string();
    return fmt::format("cannot encode '{}': {}", print(inst), asmjit::DebugUtils::errorAsString(error));
  }

  std::string missing_feature(const AsmInst& inst, const asmjit::BaseInst& base,
                              const asmjit::Operand_* operands) const {
    using Features = asmjit::CpuFeatures::X86;
    constexpr Features::Id kAll512[] = {Features::kAVX512_F, Features::kAVX512_BW, Features::kAVX512_CDI,
                                        Features::kAVX512_DQ, Features::kAVX512_VL};
    asmjit::CpuFeatures needed;
    if (asmjit::InstAPI::queryFeatures(asmjit::Arch::kX64, base, operands, inst.count, &needed) !=
        asmjit::kErrorOk)
      return fmt::format("'{}' has no features", print(inst));
    for (uint32_t id = Features::kAVX512_4FMAPS; id <= Features::kAVX512_VPOPCNTDQ; ++id)
      if (needed.has(id) && !(avx512_ && std::ranges::find(kAll512, Features::Id(id)) != std::end(kAll512)))
        return fmt::format("the target does not have '{}'", print(inst));
    return {};
  }

  asmjit::Operand operand(const AsmOperand& o) {
    switch (o.kind) {
      case AsmOperand::Reg:
        return to_reg(o.reg);
      case AsmOperand::Imm:
        return asmjit::Imm(o.value);
      case AsmOperand::Label:
        return labels_[static_cast<size_t>(o.value)];
      case AsmOperand::Mem:
        return o.mem.elements ? broadcast(memory(o), o.mem.elements) : memory(o);
      case AsmOperand::None:
        break;
    }
    return {};
  }

  static x86::Mem broadcast(x86::Mem m, unsigned elements) {
    m.setBroadcast(static_cast<x86::Mem::Broadcast>(std::countr_zero(elements)));
    return m;
  }
  x86::Mem memory(const AsmOperand& o) {
    auto disp = static_cast<int32_t>(o.value);
    if (o.mem.pool) return x86::ptr(pool_, disp, o.mem.bytes);
    if (o.mem.label >= 0) return x86::ptr(labels_[static_cast<size_t>(o.mem.label)], disp, o.mem.bytes);
    bool base = o.mem.base.file != File::None, index = o.mem.index.file != File::None;
    if (base && index)
      return x86::Mem(to_reg(o.mem.base).as<x86::Gp>(), to_reg(o.mem.index).as<x86::Reg>(),
                      shift_of(o.mem.scale), disp, o.mem.bytes);
    if (base) return x86::ptr(to_reg(o.mem.base).as<x86::Gp>(), disp, o.mem.bytes);
    return x86::Mem(uint64_t(int64_t{disp}), to_reg(o.mem.index).as<x86::Reg>(), shift_of(o.mem.scale),
                    o.mem.bytes);
  }

  const bool avx512_, checks_;
  asmjit::CodeHolder code_;
  x86::Assembler as_;
  std::vector<asmjit::Label> labels_;
  asmjit::Label pool_;
  std::unordered_map<std::string_view, asmjit::InstId> ids_;
};

}  // namespace

Encoded encode(const Assembly& assembly, bool avx512) { return Encoder(avx512).run(assembly); }

}  // namespace kc::x64
