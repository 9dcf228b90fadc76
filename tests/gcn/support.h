// SPDX-License-Identifier: Apache-2.0
// Wave kernels for the tests of the gfx9 backend, and functions that run them in the strict emulator.
#pragma once

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "backends/gcn/gcn.h"
#include "ir/parameters.h"
#include "ir/verify.h"
#include "sim/gcn/emulator.h"

namespace kc::test {

using Bytes = std::vector<uint8_t>;

/// The kernarg segment of a launch: raw bits of all parameters except the mask, then the hidden offsets.
inline Bytes kernarg_of(const Function& wave, const LaunchSpec& launch, std::span<const uint64_t> bits) {
  KernargLayout layout = kernarg_layout(wave);
  Bytes kernarg(layout.bytes);
  const auto& params = wave.block(wave.entry()).params;
  for (size_t i = 0; i < bits.size(); ++i)
    if (layout.offsets[i] != KernargLayout::kInObject)
      std::memcpy(kernarg.data() + layout.offsets[i], &bits[i], wave.type(params[i]).bytes());
  std::memcpy(kernarg.data() + layout.hidden_offset, launch.offset.data(), sizeof launch.offset);
  return kernarg;
}

/// Runs assembly text of the kernel; the message is empty if it ran to completion.
inline GcnResult run_assembly(const Function& wave, const std::string& assembly, const LaunchSpec& launch,
                              std::span<const uint64_t> bits, std::span<const MemoryRange> memory,
                              const GcnOptions& options = {}) {
  auto object = load_assembly(assembly);
  if (!object) return {.status = GcnResult::Error, .message = object.error()};
  return run_gcn(*object, wave.name, launch, kernarg_of(wave, launch, bits), memory, options);
}

/// Compiles and runs.
inline GcnResult run_gfx900(const Function& wave, const LaunchSpec& launch, std::span<const uint64_t> bits,
                            std::span<const MemoryRange> memory, const GcnOptions& options = {}) {
  auto code = compile_gcn(wave);
  if (!code) return {.status = GcnResult::Error, .message = code.error().message};
  return run_assembly(wave, code->assembly, launch, bits, memory, options);
}

/// A wave function of one block under construction: `buffers` pointers, then the mask.
struct WaveKernel {
  explicit WaveKernel(size_t buffers, std::string name = "k") : f(std::make_unique<Function>()), b(*f) {
    f->name = std::move(name), f->dialect = Dialect::Wave, f->width = 64;
    b.block = f->add_block();
    for (size_t i = 0; i < buffers; ++i) {
      pointers.push_back(f->add_param(b.block, kPtrGlobal));
      f->params.push_back({.name = "p" + std::to_string(i)});
    }
    mask = f->add_param(b.block, kMask);
    f->params.push_back(hidden_parameter(ParamRole::EntryMask));
    f->block(b.block).mask = mask;
    id = b.make(Op::global_id, kI64.lanes(), {}, {0});
  }

  /// Element of the buffer at this lane's global id.
  ValueId load(size_t buffer, Elem elem) {
    Type type{elem}, stored = type == kI1 ? kI8 : type;
    ValueId at = b.make(Op::ptr_add, kPtrGlobal.lanes(), {pointers[buffer], id}, {stored.bytes(), 0});
    ValueId v = b.make(Op::lane_load, stored.lanes(), {mask, at}, {0});
    return type == kI1 ? b.make(Op::trunc, kI1.lanes(), {v}) : v;
  }
  /// Element of the buffer at the global id of the group's first work-item.
  ValueId load_uniform(size_t buffer, Elem elem) {
    if (!first.valid())
      first =
          b.make(Op::mul, kI64, {b.make(Op::group_id, kI64, {}, {0}), b.make(Op::local_size, kI64, {}, {0})});
    Type type{elem}, stored = type == kI1 ? kI8 : type;
    ValueId at = b.make(Op::ptr_add, kPtrGlobal, {pointers[buffer], first}, {stored.bytes(), 0});
    ValueId v = b.make(Op::uniform_load, stored, {at}, {0});
    return type == kI1 ? b.make(Op::trunc, kI1, {v}) : v;
  }
  /// Stores to the last buffer, at this lane's global id after `row` rows of `items` elements. A uniform
  /// value is stored by every lane.
  void store(ValueId v, size_t row, size_t items) { store_under(mask, v, row, items); }
  void store_under(ValueId lanes, ValueId v, size_t row, size_t items) {
    Type type = f->type(v);
    if (type.elem == Elem::I1) type.elem = Elem::I8, v = b.make(Op::zext, type, {v});
    if (!type.lane) v = b.make(Op::splat, type = type.lanes(), {v});
    auto bytes = static_cast<int64_t>(type.bytes());
    ValueId at = b.make(Op::ptr_add, kPtrGlobal.lanes(), {pointers.back(), id},
                        {bytes, static_cast<int64_t>(row * items) * bytes});
    b.emit(Op::lane_store, {lanes, at, v}, {}, {0});
  }

  std::unique_ptr<Function> f;
  Builder b;
  std::vector<ValueId> pointers;
  ValueId mask, id, first;
};

}  // namespace kc::test
