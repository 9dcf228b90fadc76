// SPDX-License-Identifier: Apache-2.0
#include "frontend/source/other_dialect_hints.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace kc::front {
namespace {

struct Hint {
  std::string_view name, here;
};
constexpr Hint Hints[] = {
    {"int8_t", "char"},
    {"uint8_t", "uchar"},
    {"int16_t", "short"},
    {"uint16_t", "ushort"},
    {"int32_t", "int"},
    {"uint32_t", "uint"},
    {"int64_t", "long"},
    {"uint64_t", "ulong"},
    {"u_int", "uint"},
    {"ssize_t", "ptrdiff_t"},
    {"nullptr", "NULL"},
    {"__global__", "kernel"},
    {"__shared__", "local"},
    {"__device__", "static"},
    {"__constant__", "constant"},
    {"threadIdx", "get_local_id"},
    {"blockIdx", "get_group_id"},
    {"blockDim", "get_local_size"},
    {"gridDim", "get_num_groups"},
    {"__syncthreads", "barrier"},
    {"__threadfence", "mem_fence"},
    {"__popc", "popcount"},
    {"__clz", "clz"},
    {"atomicAdd", "atomic_add"},
    {"atomicSub", "atomic_sub"},
    {"atomicMin", "atomic_min"},
    {"atomicMax", "atomic_max"},
    {"atomicAnd", "atomic_and"},
    {"atomicOr", "atomic_or"},
    {"atomicXor", "atomic_xor"},
    {"atomicExch", "atomic_xchg"},
    {"atomicCAS", "atomic_cmpxchg"},
    {"memcpy", "__builtin_memcpy"},
    {"memmove", "__builtin_memmove"},
    {"memset", "__builtin_memset"},
    {"make_float2", "float2"},
    {"make_float3", "float3"},
    {"make_float4", "float4"},
    {"make_int2", "int2"},
    {"make_int4", "int4"},
};

constexpr std::string_view CxxWords[] = {
    "class",        "consteval", "constexpr", "const_cast",       "decltype",    "delete",
    "dynamic_cast", "explicit",  "friend",    "mutable",          "namespace",   "new",
    "operator",     "protected", "public",    "reinterpret_cast", "static_cast", "template",
    "this",         "typename",  "using",     "virtual"};

// Names and prefixes are separated by spaces, with a space at both ends.
constexpr MissingFeature Features[] = {
    {"images and samplers", "are",
     " sampler_t read_only __read_only write_only __write_only read_write __read_write ",
     " image1d_ image2d_ image3d_ read_image write_image get_image_ CLK_NORMALIZED_ CLK_ADDRESS_ "
     "CLK_FILTER_ "},
    {"pipes", "are", " pipe reserve_id_t CLK_NULL_RESERVE_ID ",
     " read_pipe write_pipe reserve_read_ reserve_write_ commit_read_ commit_write_ get_pipe_ "},
    {"device queues", "are",
     " queue_t clk_event_t ndrange_t get_default_queue CLK_NULL_QUEUE CLK_NULL_EVENT ",
     " ndrange_ enqueue_ CLK_ENQUEUE_ "},
    {"the generic address space", "is", " generic __generic to_global to_local to_private ", " "},
    {"memory from a heap", "is", " malloc calloc realloc free ", " "},
    {"inline assembly", "is", " asm __asm __asm__ ", " "},
};

// Whether a name in a space-separated list equals `name` or, if `prefixes`, is a prefix of it.
bool lists(std::string_view words, std::string_view name, bool prefixes) {
  for (size_t at = 1; at < words.size();) {
    const size_t end = words.find(' ', at);
    const std::string_view word = words.substr(at, end - at);
    if (prefixes ? name.starts_with(word) : name == word) return true;
    at = end + 1;
  }
  return false;
}

}  // namespace

std::string_view hint_for(std::string_view name) {
  const auto* at = std::ranges::find(Hints, name, &Hint::name);
  return at != std::end(Hints) ? at->here : std::string_view();
}

bool is_cxx_word(std::string_view word) { return std::ranges::find(CxxWords, word) != std::end(CxxWords); }

std::string describe_cxx(std::string_view word) {
  return fmt::format("'{}' is C++; kernels are written in C", word);
}

std::string type_key(std::string_view name) { return fmt::format("type {}", name); }

const MissingFeature* missing_feature(std::string_view name) {
  for (const MissingFeature& f : Features)
    if (lists(f.words, name, false) || lists(f.prefixes, name, true)) return &f;
  return nullptr;
}

std::string describe_missing(const MissingFeature& feature, std::string_view name) {
  return fmt::format("{} ('{}') {} not part of this version of the language", feature.name, name,
                     feature.verb);
}

}  // namespace kc::front
