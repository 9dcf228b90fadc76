// SPDX-License-Identifier: Apache-2.0
// A module contains what a launcher needs besides the code, as strings: numbers about the module, and the
// kernel without its instructions in the text form of IR, with parameters, constants and traps.
//
//   "kernelc module 1 " + numbers        bound and hash are those of the module without these strings;
//                                        the hash also covers the other numbers and the text
//   "kernelc kernel " + text             as often as needed; a string has at most 65,535 bytes
#include <spirv/unified1/spirv.hpp11>

#include <fmt/format.h>

#include <array>
#include <charconv>

#include "backends/spirv/module.h"
#include "backends/spirv/parameters.h"
#include "backends/spirv/spirv.h"
#include "ir/text.h"

namespace kc {
namespace {

using spirv::Words;

constexpr std::string_view kNumbers = "kernelc module 1 ", kText = "kernelc kernel ";
constexpr size_t kHeader = 5, kBound = 3, kMostText = 60000;
// index of the hash among the numbers; number count before the lengths
constexpr size_t kHash = 1, kFixedNumbers = 15;

// Hash of the module and of the recorded numbers and text, excluding the hash itself.
uint64_t hash_of(std::span<const uint32_t> words, const std::vector<uint64_t>& numbers,
                 std::string_view text) {
  uint64_t hash = 0xcbf29ce484222325;  // FNV-1a, by words
  auto add = [&](uint64_t x) { hash = (hash ^ x) * 0x100000001b3; };
  for (uint32_t word : words) add(word);
  for (size_t k = 0; k < numbers.size(); ++k)
    if (k != kHash) add(numbers[k]);
  for (char c : text) add(static_cast<unsigned char>(c));
  return hash;
}

spv::Op op_of(uint32_t word) { return static_cast<spv::Op>(word & spv::OpCodeMask); }

std::vector<uint64_t> numbers_of(const VulkanImage& image, std::string_view text) {
  std::vector<uint64_t> numbers{image.words[kBound], 0, image.nesting, image.local_bytes};
  for (uint32_t size : image.local_size) numbers.push_back(size);
  for (bool needs : {image.needs_int8, image.needs_int16, image.needs_float64, image.needs_int64_atomics,
                     image.needs_local_int64_atomics, image.needs_memory_model, image.needs_sub_groups,
                     image.sized_at_load})
    numbers.push_back(needs);
  for (const VulkanLocalLength& length : image.local_lengths)
    for (uint64_t n :
         {uint64_t{length.constant}, static_cast<uint64_t>(length.param + 1), uint64_t{length.unit}})
      numbers.push_back(n);
  numbers[kHash] = hash_of(image.words, numbers, text);
  return numbers;
}

std::string without_code(const Function& f) {
  Function copy = f;
  std::vector<BlockId> others(copy.layout.begin() + 1, copy.layout.end());
  copy.block(copy.entry()).insts.clear();
  copy.erase_blocks(others);
  Builder b(copy);
  b.block = copy.entry();
  b.ret();
  return print(copy);
}

void put_string(Words& words, uint32_t id, std::string_view text) {
  Words operands{id};
  spirv::append_string(operands, text);
  words.push_back(static_cast<uint32_t>((operands.size() + 1) << spv::WordCountShift) |
                  static_cast<uint32_t>(spv::Op::OpString));
  words.insert(words.end(), operands.begin(), operands.end());
}

std::string string_at(std::span<const uint32_t> words) {
  std::string text;
  for (uint32_t word : words)
    for (unsigned k = 0; k < 4; ++k, word >>= 8) {
      if (!(word & 0xff)) return text;
      text += static_cast<char>(word & 0xff);
    }
  return text;
}

bool parse_numbers(std::string_view text, std::vector<uint64_t>& numbers) {
  while (!text.empty()) {
    uint64_t n = 0;
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
    if (error != std::errc()) return false;
    numbers.push_back(n);
    text.remove_prefix(static_cast<size_t>(end - text.data()));
    if (!text.empty() && text.front() != ' ') return false;
    if (!text.empty()) text.remove_prefix(1);
  }
  return numbers.size() >= kFixedNumbers && (numbers.size() - kFixedNumbers) % 3 == 0;
}

// Fills the image except for names and parameters.
bool set_numbers(VulkanImage& image, const std::vector<uint64_t>& numbers) {
  for (size_t k = 0; k < numbers.size(); ++k)
    if (k != kHash && numbers[k] > UINT32_MAX) return false;
  auto small = [&](size_t k) { return static_cast<uint32_t>(numbers[k]); };
  image.nesting = small(2), image.local_bytes = small(3);
  for (size_t d = 0; d < 3; ++d) image.local_size[d] = small(4 + d);
  bool* const needs[] = {&image.needs_int8,
                         &image.needs_int16,
                         &image.needs_float64,
                         &image.needs_int64_atomics,
                         &image.needs_local_int64_atomics,
                         &image.needs_memory_model,
                         &image.needs_sub_groups,
                         &image.sized_at_load};
  for (size_t k = 0; k < std::size(needs); ++k) *needs[k] = numbers[7 + k] != 0;
  for (size_t k = kFixedNumbers; k < numbers.size(); k += 3)
    image.local_lengths.push_back({small(k), static_cast<int>(small(k + 1)) - 1, small(k + 2)});
  return true;
}

}  // namespace

std::vector<uint32_t> with_signature(const VulkanImage& image, const Function& f) {
  const Words& words = image.words;
  size_t at = kHeader;  // after the execution modes, where strings are placed
  for (size_t i = kHeader; i < words.size(); i += words[i] >> spv::WordCountShift)
    if (op_of(words[i]) == spv::Op::OpExecutionMode) at = i + (words[i] >> spv::WordCountShift);
  const std::string text = without_code(f);
  Words result(words.begin(), words.begin() + static_cast<ptrdiff_t>(at));
  put_string(result, result[kBound]++,
             fmt::format("{}{}", kNumbers, fmt::join(numbers_of(image, text), " ")));
  for (size_t from = 0; from < text.size(); from += kMostText)
    put_string(result, result[kBound]++, std::string(kText) + text.substr(from, kMostText));
  result.insert(result.end(), words.begin() + static_cast<ptrdiff_t>(at), words.end());
  return result;
}

bool is_spirv(std::string_view bytes) { return bytes.starts_with("\x03\x02\x23\x07"); }

std::expected<SignedModule, std::string> read_signed_module(std::span<const uint32_t> words) {
  if (words.size() < kHeader || words[0] != spv::MagicNumber)
    return std::unexpected("it is no SPIR-V module");
  SignedModule module;
  Words& rest = module.image.words;
  rest.assign(words.begin(), words.begin() + kHeader);
  std::string numbers_text, text;
  for (size_t i = kHeader; i < words.size();) {
    const size_t count = words[i] >> spv::WordCountShift;
    if (count == 0 || count > words.size() - i) return std::unexpected("the module is cut off or damaged");
    const std::span<const uint32_t> inst = words.subspan(i, count);
    i += count;
    std::string string;
    if (op_of(inst[0]) == spv::Op::OpString && count > 2) string = string_at(inst.subspan(2));
    if (string.starts_with(kNumbers))
      numbers_text = string.substr(kNumbers.size());
    else if (string.starts_with(kText))
      text += string.substr(kText.size());
    else
      rest.insert(rest.end(), inst.begin(), inst.end());
  }
  if (numbers_text.empty() || text.empty())
    return std::unexpected("it is not a module that kernelc made, or its strings were stripped");
  std::vector<uint64_t> numbers;
  if (!parse_numbers(numbers_text, numbers) || !set_numbers(module.image, numbers))
    return std::unexpected("what kernelc noted in the module is damaged");
  rest[kBound] = static_cast<uint32_t>(numbers[0]);
  if (hash_of(rest, numbers, text) != numbers[kHash])
    return std::unexpected("the module was changed after kernelc made it");
  auto parsed = parse_module(text);
  if (!parsed || parsed->functions.size() != 1 || !parsed->functions[0]->is_kernel)
    return std::unexpected("what kernelc noted of the kernel is damaged");
  module.kernel = std::move(parsed->functions[0]);
  module.image.kernel = module.image.entry_point = module.kernel->name;
  spirv::lay_out_parameters(*module.kernel, module.image);
  for (const VulkanLocalLength& length : module.image.local_lengths)
    if (length.param >= static_cast<int>(module.image.params.size()) || length.unit == 0)
      return std::unexpected("what kernelc noted in the module is damaged");
  return module;
}

}  // namespace kc
