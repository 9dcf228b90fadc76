// SPDX-License-Identifier: Apache-2.0
// The types and expressions of random programs.
#pragma once

#include <string>
#include <vector>

#include "fuzz/random.h"
#include "fuzz/random_program.h"

namespace kc::fuzz {

enum class Number : uint8_t { Bool, Char, Uchar, Short, Ushort, Int, Uint, Long, Ulong, Float, Double };
std::string_view spelling(Number n);
uint32_t bytes_of(Number n);
/// As `--arg` names it, such as u8 or f32; not of Bool.
std::string argument_type(Number n);
inline bool is_real(Number n) { return n >= Number::Float; }

struct SourceType {
  int record = -1;  // index of a record; negative for a number
  Number number = Number::Int;
  uint32_t lanes = 1;  // of a vector of numbers
  bool operator==(const SourceType&) const = default;
};
struct SourceVariable {
  std::string name;
  SourceType type{};
  std::vector<uint32_t> dims{};
  bool pointer = false;  // to `type`
  bool writable = true;
  bool shared = false;  // in local memory: no pointer to it exists
};
struct SourceRecord {
  bool is_union = false;
  std::vector<SourceVariable> members{};  // of a union: integers, the first one covers all bytes
};
struct SourceHelper {
  std::string name;
  bool is_void = false;
  SourceType result{};
  std::vector<SourceVariable> params{};
};
/// An expression that denotes a whole object.
struct SourceObject {
  std::string text;
  SourceType type{};
};
/// A readable scalar, possibly writable.
struct SourcePlace {
  std::string text;
  Number number = Number::Int;
  bool writable = true;
};

struct ConstantTable {
  std::string name;
  Number number = Number::Int;
  uint32_t size = 0;
};

/// Whether a program has the idioms of random_images.cpp, and its buffers of interleaved elements: a
/// work-item owns `written_stride` elements of `pix` in each row, and reads all of `src`.
struct ImageIdioms {
  bool used = false, buffers = false;
  Number written = Number::Uchar, read = Number::Uchar;
  uint32_t written_stride = 2, read_stride = 2, rows = 1;
  uint32_t spare = 0;  // elements of `src` after the last work-item's
  bool restricted = false;
  std::string parameters() const;
  std::vector<std::string> arguments(uint32_t items, uint64_t seed) const;
};
ImageIdioms image_idioms(uint64_t seed, const ProgramOptions& options);

class ExpressionWriter {
 public:
  ExpressionWriter(uint64_t seed, const ProgramOptions& options) : random_(seed), options_(options) {}

 protected:
  std::string name_of(const SourceType& t) const;
  std::string records();  // invents records and declares them
  std::string macros();
  SourceType any_type(uint32_t percent_records);
  std::string declarator(const SourceVariable& v) const;
  std::string initializer(const SourceVariable& v, size_t rank, uint32_t depth);

  std::string integer(uint32_t depth);
  std::string real(uint32_t depth);
  std::string special_real(uint32_t depth);
  std::string condition(uint32_t depth);
  /// An expression assignable to a number of this kind.
  std::string number(Number n, uint32_t depth);
  /// A value of any type.
  std::string value(const SourceType& type, uint32_t depth);
  /// A value of a record, by copy or by initializer list.
  std::string record(int index, uint32_t depth);
  std::string index(uint32_t size, uint32_t depth);

  SourcePlace place(bool to_write, uint32_t depth);
  /// An object of the type; empty if none exists.
  std::string object(const SourceType& type, bool to_write, uint32_t depth);

  // Vectors: random_vectors.cpp.
  SourceType any_vector();
  std::string vector(const SourceType& type, uint32_t depth);
  /// All existing vectors.
  std::vector<SourceObject> vector_objects(bool to_write, uint32_t depth);
  /// An index, in units of vectors of `lanes`, that is in bounds for an object of `elements` numbers.
  std::string vector_index(uint32_t elements, uint32_t lanes, uint32_t depth);
  /// A swizzle such as ".s31" with `count` components, without repetition if `distinct`.
  std::string swizzle(uint32_t from, uint32_t count, bool distinct);

  // Constant tables, limits and rotations: random_images.cpp.
  std::string tables();
  std::string table_entry(bool of_reals, uint32_t depth);
  std::string limited(uint32_t depth);
  std::string mixed_bits(uint32_t depth);
  std::string limited_real(uint32_t depth);
  std::string limits(std::string_view type, const std::string& e, const std::string& low,
                     const std::string& high);

  bool vectors_ = false;
  ImageIdioms images_;
  std::vector<ConstantTable> tables_;
  bool plain_ = false;  // no pointers and only constant indices: nothing has to be in memory
  Random random_;
  ProgramOptions options_;
  std::vector<SourceRecord> records_;
  std::vector<SourceVariable> scope_;
  std::vector<SourceHelper> helpers_;
  std::vector<std::string> conditions_;  // names
  uint32_t calls_ = 0;                   // remaining calls of this function; each call expands the helper
  bool calling_ = false;                 // no further call in this statement

 private:
  std::string literal();
  std::string helper_call(const SourceType& result);
  std::string pointer_arithmetic();
  std::string real_literal();
  std::string integer_leaf(uint32_t depth);
  std::string integer_operator(uint32_t depth);
  std::string integer_special(uint32_t depth);
  std::string built_in(uint32_t depth);
  std::string subscripts(const SourceVariable& v, uint32_t depth);
  std::string component(const SourceType& type, bool has_address, uint32_t depth);
  std::string vector_leaf(const SourceType& type, uint32_t depth);
  std::string vector_operator(const SourceType& type, uint32_t depth);
  std::string vector_mask(Number n, uint32_t lanes, uint32_t depth);
  std::string vector_change(const SourceType& type, uint32_t depth);
  std::string vector_call(const SourceType& type, uint32_t depth);
  std::string vector_load(const SourceType& type, uint32_t depth);
  std::string integer_of_vector(uint32_t depth);
  std::string real_of_vector(uint32_t depth);
  std::string condition_of_vector(uint32_t depth);
  SourcePlace inside(std::string text, const SourceVariable& v, uint32_t depth);
  SourceRecord union_record();
};

}  // namespace kc::fuzz
