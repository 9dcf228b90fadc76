// SPDX-License-Identifier: Apache-2.0
#include "frontend/preprocess/keywords.h"

#include <algorithm>

namespace kc::front {

namespace {

template <class Value>
constexpr KeywordRow row(std::string_view word, TokenKind kind, Value value) {
  return {word, kind, static_cast<int>(value)};
}
constexpr KeywordRow row(std::string_view word, TokenKind kind) { return {word, kind, 0}; }

constexpr KeywordRow Keywords[] = {
    row("_Alignof", Tok::TokAlignofWord),
    row("_Bool", Tok::TokBuiltinType, TypeWord::Bool),
    row("_Static_assert", Tok::TokStaticAssert),
    row("__alignof", Tok::TokAlignofWord),
    row("__alignof__", Tok::TokAlignofWord),
    row("__attribute", Tok::TokAttributeWord),
    row("__attribute__", Tok::TokAttributeWord),
    row("__auto_type", Tok::TokBuiltinType, TypeWord::Deduced),
    row("__builtin_astype", Tok::TokAsTypeWord),
    row("__builtin_convertvector", Tok::TokConvertVectorWord),
    row("__const", Tok::TokQualifierWord, Const),
    row("__const__", Tok::TokQualifierWord, Const),
    row("__constant", Tok::TokSpaceWord, AddressSpace::Constant),
    row("__global", Tok::TokSpaceWord, AddressSpace::Global),
    row("__inline", Tok::TokInlineWord),
    row("__inline__", Tok::TokInlineWord),
    row("__kernel", Tok::TokKernelWord),
    row("__local", Tok::TokSpaceWord, AddressSpace::Local),
    row("__private", Tok::TokSpaceWord, AddressSpace::Private),
    row("__restrict", Tok::TokQualifierWord, Restrict),
    row("__restrict__", Tok::TokQualifierWord, Restrict),
    row("__signed", Tok::TokBuiltinType, TypeWord::Signed),
    row("__signed__", Tok::TokBuiltinType, TypeWord::Signed),
    row("__typeof", Tok::TokTypeofWord),
    row("__typeof__", Tok::TokTypeofWord),
    row("__volatile", Tok::TokQualifierWord, Volatile),
    row("__volatile__", Tok::TokQualifierWord, Volatile),
    row("auto", Tok::TokStorageWord, Storage::Auto),
    row("bool", Tok::TokBuiltinType, TypeWord::Bool),
    row("break", Tok::TokBreak),
    row("case", Tok::TokCase),
    row("char", Tok::TokBuiltinType, TypeWord::Char),
    row("const", Tok::TokQualifierWord, Const),
    row("constant", Tok::TokSpaceWord, AddressSpace::Constant),
    row("continue", Tok::TokContinue),
    row("default", Tok::TokDefault),
    row("do", Tok::TokDo),
    row("double", Tok::TokBuiltinType, TypeWord::Double),
    row("else", Tok::TokElse),
    row("enum", Tok::TokEnumWord),
    row("extern", Tok::TokStorageWord, Storage::Extern),
    row("float", Tok::TokBuiltinType, TypeWord::Float),
    row("for", Tok::TokFor),
    row("global", Tok::TokSpaceWord, AddressSpace::Global),
    row("goto", Tok::TokGoto),
    row("if", Tok::TokIf),
    row("inline", Tok::TokInlineWord),
    row("int", Tok::TokBuiltinType, TypeWord::Int),
    row("intptr_t", Tok::TokBuiltinType, TypeWord::Ptrdiff),
    row("kernel", Tok::TokKernelWord),
    row("local", Tok::TokSpaceWord, AddressSpace::Local),
    row("long", Tok::TokBuiltinType, TypeWord::Long),
    row("private", Tok::TokSpaceWord, AddressSpace::Private),
    row("ptrdiff_t", Tok::TokBuiltinType, TypeWord::Ptrdiff),
    row("register", Tok::TokStorageWord, Storage::Register),
    row("restrict", Tok::TokQualifierWord, Restrict),
    row("return", Tok::TokReturn),
    row("short", Tok::TokBuiltinType, TypeWord::Short),
    row("signed", Tok::TokBuiltinType, TypeWord::Signed),
    row("size_t", Tok::TokBuiltinType, TypeWord::Size),
    row("sizeof", Tok::TokSizeofWord),
    row("static", Tok::TokStorageWord, Storage::Static),
    row("struct", Tok::TokStructWord),
    row("switch", Tok::TokSwitch),
    row("typedef", Tok::TokStorageWord, Storage::Typedef),
    row("typeof", Tok::TokTypeofWord),
    row("uchar", Tok::TokBuiltinType, TypeWord::UChar),
    row("uint", Tok::TokBuiltinType, TypeWord::UInt),
    row("uintptr_t", Tok::TokBuiltinType, TypeWord::Size),
    row("ulong", Tok::TokBuiltinType, TypeWord::ULong),
    row("union", Tok::TokUnionWord),
    row("unsigned", Tok::TokBuiltinType, TypeWord::Unsigned),
    row("ushort", Tok::TokBuiltinType, TypeWord::UShort),
    row("void", Tok::TokBuiltinType, TypeWord::Void),
    row("volatile", Tok::TokQualifierWord, Volatile),
    row("while", Tok::TokWhile),
};
constexpr bool word_less(const KeywordRow& a, const KeywordRow& b) { return a.word < b.word; }
static_assert(std::is_sorted(std::begin(Keywords), std::end(Keywords), word_less));

constexpr std::string_view Unsupported[] = {"image1d_t",
                                            "image1d_array_t",
                                            "image1d_buffer_t",
                                            "image2d_t",
                                            "image2d_array_t",
                                            "image2d_depth_t",
                                            "image2d_array_depth_t",
                                            "image3d_t",
                                            "sampler_t",
                                            "clk_event_t",
                                            "queue_t",
                                            "ndrange_t",
                                            "reserve_id_t",
                                            "read_only",
                                            "__read_only",
                                            "write_only",
                                            "__write_only",
                                            "read_write",
                                            "__read_write",
                                            "generic",
                                            "__generic"};

// Names that users take, too: types only where another word follows, as in `complex float z`.
constexpr std::string_view UnsupportedBeforeWords[] = {"quad", "complex", "imaginary", "pipe"};

}  // namespace

const KeywordRow* find_keyword(std::string_view word) {
  const KeywordRow* at =
      std::lower_bound(std::begin(Keywords), std::end(Keywords), KeywordRow{word}, word_less);
  return at != std::end(Keywords) && at->word == word ? at : nullptr;
}

namespace {

// Removes the length from the end of a vector type's name and returns it; returns 1 if there is none.
unsigned take_length(std::string_view& word) {
  if (word.empty() || word.back() < '2' || word.back() > '8') return 1;
  unsigned last = static_cast<unsigned>(word.back() - '0');
  bool sixteen = last == 6 && word.size() > 1 && word[word.size() - 2] == '1';
  if (!sixteen && last != 2 && last != 3 && last != 4 && last != 8) return 1;
  word.remove_suffix(sixteen ? 2 : 1);
  return sixteen ? 16 : last;
}

}  // namespace

std::optional<TypeShape> find_number_type(std::string_view word) {
  unsigned length = take_length(word);
  for (int k = static_cast<int>(TypeKind::Char); k <= static_cast<int>(TypeKind::Double); ++k)
    if (word == scalar_name(static_cast<TypeKind>(k))) return TypeShape{static_cast<TypeKind>(k), length};
  return std::nullopt;
}

namespace {

// The type under an atomic type of OpenCL C 2.0: the functions on them are atomic whatever the type.
std::optional<TypeShape> find_atomic_type(std::string_view word) {
  static constexpr std::pair<std::string_view, TypeKind> Types[] = {
      {"int", TypeKind::Int},         {"uint", TypeKind::UInt},      {"long", TypeKind::Long},
      {"ulong", TypeKind::ULong},     {"float", TypeKind::Float},    {"double", TypeKind::Double},
      {"size_t", TypeKind::ULong},    {"ptrdiff_t", TypeKind::Long}, {"intptr_t", TypeKind::Long},
      {"uintptr_t", TypeKind::ULong}, {"flag", TypeKind::Int}};
  for (auto [name, kind] : Types)
    if (word == name) return TypeShape{kind, 1};
  return std::nullopt;
}

}  // namespace

std::optional<TypeKind> kind_of_word(TypeWord word) {
  static constexpr std::pair<TypeWord, TypeKind> Kinds[] = {
      {TypeWord::Void, TypeKind::Void},   {TypeWord::Bool, TypeKind::Bool},
      {TypeWord::Float, TypeKind::Float}, {TypeWord::Double, TypeKind::Double},
      {TypeWord::UChar, TypeKind::UChar}, {TypeWord::UShort, TypeKind::UShort},
      {TypeWord::UInt, TypeKind::UInt},   {TypeWord::ULong, TypeKind::ULong},
      {TypeWord::Size, TypeKind::ULong},  {TypeWord::Ptrdiff, TypeKind::Long}};
  for (const auto& [known, kind] : Kinds)
    if (known == word) return kind;
  return std::nullopt;
}

std::optional<TypeShape> find_hidable_type(std::string_view word) {
  if (word == "half") return TypeShape{TypeKind::Half, 1};
  if (word == "event_t") return TypeShape{TypeKind::Event, 1};
  if (word.starts_with("atomic_")) return find_atomic_type(word.substr(7));
  if (word == "cl_mem_fence_flags") return TypeShape{TypeKind::UInt, 1};
  if (word == "memory_order" || word == "memory_scope") return TypeShape{TypeKind::Int, 1};
  // a fast check, since every identifier is tested
  bool numbered = !word.empty() && word.back() >= '2' && word.back() <= '8';
  TypeShape type = numbered ? find_number_type(word).value_or(TypeShape()) : TypeShape();
  return type.length > 1 ? std::optional(type) : std::nullopt;
}

bool is_unsupported_vector(std::string_view word) {
  return take_length(word) > 1 && (word == "bool" || word == "half");
}

bool is_unsupported_type(std::string_view word, bool before_word) {
  if (before_word && std::ranges::find(UnsupportedBeforeWords, word) != std::end(UnsupportedBeforeWords))
    return true;
  return std::find(std::begin(Unsupported), std::end(Unsupported), word) != std::end(Unsupported) ||
         is_unsupported_vector(word);
}

std::vector<std::string_view> declaration_words() {
  std::vector<std::string_view> words;
  for (const KeywordRow& k : Keywords)
    if (k.kind == Tok::TokBuiltinType || k.kind == Tok::TokSpaceWord || k.kind == Tok::TokQualifierWord ||
        k.kind == Tok::TokStorageWord || k.kind == Tok::TokKernelWord || k.kind == Tok::TokInlineWord)
      words.push_back(k.word);
  return words;
}

}  // namespace kc::front
