// SPDX-License-Identifier: Apache-2.0
#include "backends/spirv/code.h"

#include "ir/check.h"

namespace kc::spirv {

Elem integer_of_bytes(unsigned bytes) {
  switch (bytes) {
    case 1:
      return Elem::I8;
    case 2:
      return Elem::I16;
    case 4:
      return Elem::I32;
    default:
      return Elem::I64;
  }
}

Elem integer_of(Elem e) { return integer_of_bytes(Type{e}.bytes()); }

Word Code::type(Elem e) {
  if (e == Elem::I1) return m.type_bool();
  if (is_float(e)) return m.type_float(width(e));
  return m.type_int(width(e));
}

Word Code::constant(Elem e, uint64_t bits) {
  if (e == Elem::I1) return m.constant_bool(bits & 1);
  if (is_float(e)) return m.constant_float(width(e), bits);
  return m.constant_int(width(e), bits);
}

Word Code::make(spv::Op op, Elem result, std::initializer_list<Word> operands) {
  Words words{type(result), m.id()};
  words.insert(words.end(), operands.begin(), operands.end());
  m.code(op, words);
  return words[1];
}

Word Code::exact(spv::Op op, Elem result, std::initializer_list<Word> operands) {
  Word id = make(op, result, operands);
  m.decorate(id, spv::Decoration::NoContraction);
  return id;
}

Word Code::glsl(Glsl instruction, Elem result, std::initializer_list<Word> operands) {
  Words words{type(result), m.id(), m.ext_import(), static_cast<Word>(instruction)};
  words.insert(words.end(), operands.begin(), operands.end());
  m.code(spv::Op::OpExtInst, words);
  return words[1];
}

Word Code::pointer_at(Elem e, Word address, unsigned offset) {
  if (offset) address = make(spv::Op::OpIAdd, Elem::I64, {address, constant(Elem::I64, offset)});
  Word pointer = m.type_pointer(spv::StorageClass::PhysicalStorageBuffer, type(e));
  Word id = m.id();
  m.code(spv::Op::OpConvertUToPtr, {pointer, id, address});
  return id;
}

void Code::synchronise() {
  synchronises_ = true;
  m.use_vulkan_memory_model();
}

// Memory operands; an alignment of 0 is omitted.
Words Code::access(unsigned align) const {
  using enum spv::MemoryAccessMask;
  Word mask = synchronises_ ? static_cast<Word>(NonPrivatePointer) : 0;
  if (volatile_) mask |= static_cast<Word>(Volatile);
  if (align) return {mask | static_cast<Word>(Aligned), align};
  return mask ? Words{mask} : Words{};
}

Word Code::load_from(Elem e, Word pointer) { return load_through(e, pointer, 0); }
void Code::store_to(Word pointer, Word value) { store_through(pointer, value, 0); }

Word Code::load_through(Elem e, Word pointer, unsigned align) {
  Words words{type(e), m.id(), pointer}, more = access(align);
  words.insert(words.end(), more.begin(), more.end());
  m.code(spv::Op::OpLoad, words);
  return words[1];
}

void Code::store_through(Word pointer, Word value, unsigned align) {
  Words words{pointer, value}, more = access(align);
  words.insert(words.end(), more.begin(), more.end());
  m.code(spv::Op::OpStore, words);
}

void Code::use_device_scope() {
  if (synchronises_) m.capability(spv::Capability::VulkanMemoryModelDeviceScope);
}

Word Code::atomic(spv::Op op, Elem e, Word pointer, bool is_local, std::span<const Word> operands) {
  if (width(e) == 64) m.capability(spv::Capability::Int64Atomics);
  if (!is_local) use_device_scope();
  Words words{type(e), m.id(), pointer, scope(is_local ? spv::Scope::Workgroup : spv::Scope::Device),
              zero(Elem::I32)};
  if (op == spv::Op::OpAtomicCompareExchange) words.push_back(zero(Elem::I32));
  words.insert(words.end(), operands.begin(), operands.end());
  m.code(op, words);
  return words[1];
}

Word Code::load(Elem e, Word address, unsigned align) {
  unsigned size = Type{e}.bytes();
  if (align != 0 && align < size) return load_pieces(e, address, align);
  return load_through(e, pointer_at(e, address, 0), size);
}

void Code::store(Elem e, Word address, Word value, unsigned align) {
  unsigned size = Type{e}.bytes();
  if (align != 0 && align < size) return store_pieces(e, address, value, align);
  store_through(pointer_at(e, address, 0), value, size);
}

void Code::declare_private(uint64_t bytes) {
  Word words = m.type_array(type(Elem::I32), constant(Elem::I32, bytes / 4));
  private_ = m.local_variable(m.type_pointer(spv::StorageClass::Function, words));
  m.name(private_, "private");
}

Word Code::private_word(Word offset) {
  Word index = make(spv::Op::OpShiftRightLogical, Elem::I32, {offset, constant(Elem::I32, 2)});
  Word pointer = m.type_pointer(spv::StorageClass::Function, type(Elem::I32));
  Word id = m.id();
  m.code(spv::Op::OpAccessChain, {pointer, id, private_, index});
  return id;
}

Word Code::load_private(Word offset) {
  Word word = make(spv::Op::OpLoad, Elem::I32, {private_word(offset)});
  return hidden_zero_ ? make(spv::Op::OpBitwiseOr, Elem::I32, {word, hidden_zero_}) : word;
}
void Code::store_private(Word offset, Word value) { m.code(spv::Op::OpStore, {private_word(offset), value}); }

// An alignment below the element's size is not expressible, so the access is split into aligned pieces.
Word Code::load_pieces(Elem e, Word address, unsigned align) {
  Elem whole = integer_of(e), piece = integer_of_bytes(align);
  Word result = zero(whole);
  for (unsigned at = 0; at < Type{e}.bytes(); at += align) {
    Word part = load_through(piece, pointer_at(piece, address, at), align);
    Word wide = make(spv::Op::OpUConvert, whole, {part});
    wide = make(spv::Op::OpShiftLeftLogical, whole, {wide, constant(whole, uint64_t{at} * 8)});
    result = make(spv::Op::OpBitwiseOr, whole, {result, wide});
  }
  return is_float(e) ? make(spv::Op::OpBitcast, e, {result}) : result;
}

void Code::store_pieces(Elem e, Word address, Word value, unsigned align) {
  Elem whole = integer_of(e), piece = integer_of_bytes(align);
  if (is_float(e)) value = make(spv::Op::OpBitcast, whole, {value});
  for (unsigned at = 0; at < Type{e}.bytes(); at += align) {
    Word part = make(spv::Op::OpShiftRightLogical, whole, {value, constant(whole, uint64_t{at} * 8)});
    part = make(spv::Op::OpUConvert, piece, {part});
    store_through(pointer_at(piece, address, at), part, align);
  }
}

}  // namespace kc::spirv
