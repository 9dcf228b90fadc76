// SPDX-License-Identifier: Apache-2.0
// Writes a SPIR-V module: sections in the order of the format, types and constants once each.
#pragma once

#include <spirv/unified1/spirv.hpp11>

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kc::spirv {

using Word = uint32_t;
using Words = std::vector<Word>;

class ModuleWriter {
 public:
  Word id() { return bound_++; }

  void capability(spv::Capability c) { capabilities_.insert(static_cast<Word>(c)); }
  bool has(spv::Capability c) const { return capabilities_.contains(static_cast<Word>(c)); }
  Word ext_import();  // GLSL.std.450
  Word string(std::string_view text);
  void source(Word file);  // OpenCL C in this file
  void name(Word target, std::string_view text);
  void decorate(Word target, spv::Decoration decoration, std::span<const Word> operands = {});
  void decorate_member(Word type, Word member, spv::Decoration decoration, Word operand);
  void execution_mode(Word entry, spv::ExecutionMode mode, std::span<const Word> operands);
  void entry_point(Word function, std::string_view name, const Words& interface);

  // Types and constants are created on first use.
  Word type_void();
  Word type_bool();
  Word type_int(unsigned width);
  Word type_float(unsigned width);
  Word type_vector(Word element, Word count);
  Word type_pointer(spv::StorageClass storage, Word pointee);
  Word type_array(Word element, Word length);  // length: id of a constant
  Word type_struct(const Words& members);      // a new one each time, since decorations differ
  Word type_function(Word result);
  Word spec_constant(Word spec_id, uint32_t value);
  Word spec_composite(Word type, const Words& parts);
  Word constant_bool(bool value);
  Word constant_int(unsigned width, uint64_t bits);
  Word constant_float(unsigned width, uint64_t bits);

  Word variable(Word pointer_type, spv::StorageClass storage);  // module scope

  // Code of the single function. Local variables come first in its first block.
  void code(spv::Op op, std::span<const Word> operands);
  void code(spv::Op op, std::initializer_list<Word> operands) {
    code(op, std::span<const Word>(operands.begin(), operands.size()));
  }
  Word local_variable(Word pointer_type);
  void function_prologue(Word function, Word type, Word first_label);

  /// Replaces the GLSL memory model: barriers and atomic operations determine visibility.
  void use_vulkan_memory_model();

  Words finish();

 private:
  static void put(Words& section, spv::Op op, std::span<const Word> operands);
  static void put(Words& section, spv::Op op, std::initializer_list<Word> operands) {
    put(section, op, std::span<const Word>(operands.begin(), operands.size()));
  }
  Word unique(spv::Op op, bool typed, Words operands);

  Word bound_ = 1;
  spv::MemoryModel memory_model_ = spv::MemoryModel::GLSL450;
  Word ext_import_ = 0;
  std::set<Word> capabilities_;
  std::map<Words, Word> unique_;
  std::map<std::string, Word, std::less<>> strings_;
  Words imports_, entry_, modes_, strings_section_, names_, annotations_, globals_, prologue_, locals_, code_;
};

/// A literal string in the format's encoding: zero-terminated and padded to whole words.
void append_string(Words& words, std::string_view text);

}  // namespace kc::spirv
