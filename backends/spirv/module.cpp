// SPDX-License-Identifier: Apache-2.0
#include "backends/spirv/module.h"

#include <algorithm>

namespace kc::spirv {

void append_string(Words& words, std::string_view text) {
  for (size_t i = 0; i <= text.size(); i += 4) {
    Word word = 0;
    for (size_t k = 0; k < 4 && i + k < text.size(); ++k)
      word |= static_cast<Word>(static_cast<unsigned char>(text[i + k])) << (8 * k);
    words.push_back(word);
  }
}

void ModuleWriter::put(Words& section, spv::Op op, std::span<const Word> operands) {
  section.push_back(static_cast<Word>((operands.size() + 1) << spv::WordCountShift) | static_cast<Word>(op));
  section.insert(section.end(), operands.begin(), operands.end());
}

Word ModuleWriter::ext_import() {
  if (ext_import_) return ext_import_;
  ext_import_ = id();
  Words operands{ext_import_};
  append_string(operands, "GLSL.std.450");
  put(imports_, spv::Op::OpExtInstImport, operands);
  return ext_import_;
}

Word ModuleWriter::string(std::string_view text) {
  if (auto it = strings_.find(text); it != strings_.end()) return it->second;
  Words operands{id()};
  append_string(operands, text);
  put(strings_section_, spv::Op::OpString, operands);
  return strings_[std::string(text)] = operands[0];
}

void ModuleWriter::source(Word file) {
  put(strings_section_, spv::Op::OpSource, {static_cast<Word>(spv::SourceLanguage::OpenCL_C), 120, file});
}

void ModuleWriter::name(Word target, std::string_view text) {
  Words operands{target};
  append_string(operands, text);
  put(names_, spv::Op::OpName, operands);
}

void ModuleWriter::decorate(Word target, spv::Decoration decoration, std::span<const Word> operands) {
  Words words{target, static_cast<Word>(decoration)};
  words.insert(words.end(), operands.begin(), operands.end());
  put(annotations_, spv::Op::OpDecorate, words);
}

void ModuleWriter::decorate_member(Word type, Word member, spv::Decoration decoration, Word operand) {
  put(annotations_, spv::Op::OpMemberDecorate, {type, member, static_cast<Word>(decoration), operand});
}

void ModuleWriter::execution_mode(Word entry, spv::ExecutionMode mode, std::span<const Word> operands) {
  Words words{entry, static_cast<Word>(mode)};
  words.insert(words.end(), operands.begin(), operands.end());
  put(modes_, spv::Op::OpExecutionMode, words);
}

void ModuleWriter::entry_point(Word function, std::string_view name, const Words& interface) {
  Words words{static_cast<Word>(spv::ExecutionModel::GLCompute), function};
  append_string(words, name);
  words.insert(words.end(), interface.begin(), interface.end());
  put(entry_, spv::Op::OpEntryPoint, words);
}

// The first operand of a constant is its type, which precedes the result; a type starts with its result.
Word ModuleWriter::unique(spv::Op op, bool typed, Words operands) {
  Words key = operands;
  key.insert(key.begin(), static_cast<Word>(op));
  if (auto it = unique_.find(key); it != unique_.end()) return it->second;
  Word result = id();
  operands.insert(operands.begin() + (typed ? 1 : 0), result);
  put(globals_, op, operands);
  return unique_[key] = result;
}

Word ModuleWriter::type_void() { return unique(spv::Op::OpTypeVoid, false, {}); }
Word ModuleWriter::type_bool() { return unique(spv::Op::OpTypeBool, false, {}); }
Word ModuleWriter::type_int(unsigned width) {
  if (width == 8) {
    capability(spv::Capability::Int8);
    capability(spv::Capability::StorageBuffer8BitAccess);
  }
  if (width == 16) {
    capability(spv::Capability::Int16);
    capability(spv::Capability::StorageBuffer16BitAccess);
  }
  if (width == 64) capability(spv::Capability::Int64);
  return unique(spv::Op::OpTypeInt, false, {width, 0});
}
Word ModuleWriter::type_float(unsigned width) {
  if (width == 64) capability(spv::Capability::Float64);
  return unique(spv::Op::OpTypeFloat, false, {width});
}
Word ModuleWriter::type_vector(Word element, Word count) {
  return unique(spv::Op::OpTypeVector, false, {element, count});
}
Word ModuleWriter::type_pointer(spv::StorageClass storage, Word pointee) {
  return unique(spv::Op::OpTypePointer, false, {static_cast<Word>(storage), pointee});
}
Word ModuleWriter::type_array(Word element, Word length) {
  return unique(spv::Op::OpTypeArray, false, {element, length});
}
Word ModuleWriter::type_struct(const Words& members) {
  Words operands{id()};
  operands.insert(operands.end(), members.begin(), members.end());
  put(globals_, spv::Op::OpTypeStruct, operands);
  return operands[0];
}
Word ModuleWriter::type_function(Word result) { return unique(spv::Op::OpTypeFunction, false, {result}); }

Word ModuleWriter::constant_bool(bool value) {
  return unique(value ? spv::Op::OpConstantTrue : spv::Op::OpConstantFalse, true, {type_bool()});
}
Word ModuleWriter::constant_int(unsigned width, uint64_t bits) {
  Word type = type_int(width);
  if (width == 64)
    return unique(spv::Op::OpConstant, true, {type, static_cast<Word>(bits), static_cast<Word>(bits >> 32)});
  // The type is unsigned, so narrow literals are zero-extended.
  return unique(spv::Op::OpConstant, true, {type, static_cast<Word>(bits & ((uint64_t{1} << width) - 1))});
}
Word ModuleWriter::constant_float(unsigned width, uint64_t bits) {
  Word type = type_float(width);
  if (width == 64)
    return unique(spv::Op::OpConstant, true, {type, static_cast<Word>(bits), static_cast<Word>(bits >> 32)});
  return unique(spv::Op::OpConstant, true, {type, static_cast<Word>(bits)});
}

Word ModuleWriter::spec_constant(Word spec_id, uint32_t value) {
  Word type = type_int(32), result = id();
  put(globals_, spv::Op::OpSpecConstant, {type, result, value});
  const Word operand[] = {spec_id};
  decorate(result, spv::Decoration::SpecId, operand);
  return result;
}

Word ModuleWriter::spec_composite(Word type, const Words& parts) {
  Words operands{type, id()};
  operands.insert(operands.end(), parts.begin(), parts.end());
  put(globals_, spv::Op::OpSpecConstantComposite, operands);
  return operands[1];
}

Word ModuleWriter::variable(Word pointer_type, spv::StorageClass storage) {
  Word result = id();
  put(globals_, spv::Op::OpVariable, {pointer_type, result, static_cast<Word>(storage)});
  return result;
}

void ModuleWriter::code(spv::Op op, std::span<const Word> operands) { put(code_, op, operands); }

Word ModuleWriter::local_variable(Word pointer_type) {
  Word result = id();
  put(locals_, spv::Op::OpVariable, {pointer_type, result, static_cast<Word>(spv::StorageClass::Function)});
  return result;
}

void ModuleWriter::function_prologue(Word function, Word type, Word first_label) {
  put(prologue_, spv::Op::OpFunction, {type_void(), function, 0, type});
  put(prologue_, spv::Op::OpLabel, {first_label});
}

void ModuleWriter::use_vulkan_memory_model() {
  capability(spv::Capability::VulkanMemoryModel);
  memory_model_ = spv::MemoryModel::Vulkan;
}

Words ModuleWriter::finish() {
  put(code_, spv::Op::OpFunctionEnd, {});
  // This writer has no registered generator number, hence 0.
  Words words{spv::MagicNumber, 0x00010500, 0, bound_, 0};
  for (Word c : capabilities_) put(words, spv::Op::OpCapability, {c});
  words.insert(words.end(), imports_.begin(), imports_.end());
  put(words, spv::Op::OpMemoryModel,
      {static_cast<Word>(spv::AddressingModel::PhysicalStorageBuffer64), static_cast<Word>(memory_model_)});
  for (const Words* section :
       {&entry_, &modes_, &strings_section_, &names_, &annotations_, &globals_, &prologue_, &locals_, &code_})
    words.insert(words.end(), section->begin(), section->end());
  return words;
}

}  // namespace kc::spirv
