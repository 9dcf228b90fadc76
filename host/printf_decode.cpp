// SPDX-License-Identifier: Apache-2.0
#include "host/printf_decode.h"

#include <fmt/format.h>
#include <locale.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <limits>
#include <vector>

#include "ir/printf.h"

namespace kc {
namespace {

// The C library writes numbers as this says, whatever the program that holds us has chosen.
class PlainLocale {
 public:
  PlainLocale() : plain_(newlocale(LC_ALL_MASK, "C", locale_t{})) {
    if (plain_) before_ = uselocale(plain_);
  }
  ~PlainLocale() {
    if (!plain_) return;
    uselocale(before_);
    freelocale(plain_);
  }
  PlainLocale(const PlainLocale&) = delete;

 private:
  locale_t plain_, before_{};
};

template <class T>
void print(std::string& out, const std::string& spec, T value) {
  char small[128];
  int size = std::snprintf(small, sizeof small, spec.c_str(), value);
  if (size < 0) return;
  if (static_cast<size_t>(size) < sizeof small) {
    out.append(small, static_cast<size_t>(size));
    return;
  }
  size_t at = out.size();
  out.resize(at + static_cast<size_t>(size) + 1);
  std::snprintf(out.data() + at, static_cast<size_t>(size) + 1, spec.c_str(), value);
  out.pop_back();
}

class Printer {
 public:
  Printer(const Function& kernel, Addresses addresses, std::string& out) : addresses_(addresses), out_(out) {
    for (const MemoryObject& o : kernel.objects)
      if (o.type == kPtrConstant) texts_.push_back(&o);
    formats_.resize(texts_.size());
  }

  // False if there is no such format.
  bool message(uint64_t format, std::span<const uint64_t> words) {
    if (format == 0 || format > texts_.size()) return false;
    std::string_view text = text_of(format);
    auto& conversions = formats_[format - 1];
    if (!conversions) conversions = printf_conversions(text);
    size_t at = 0, next = 0;
    for (const PrintfConversion& c : *conversions) {
      out_ += text.substr(at, c.begin - at);
      at = c.end;
      if (c.kind == '%') out_ += '%';
      if (!c.takes()) continue;
      if (words.size() - next < c.vector) return false;
      for (uint32_t i = 0; i < c.vector; ++i) {
        if (i > 0) out_ += ',';
        one(c, words[next++]);
      }
    }
    out_ += text.substr(at);
    return true;
  }

 private:
  std::string_view text_of(uint64_t number, uint64_t offset = 0) const {
    const std::vector<uint8_t>& bytes = texts_[number - 1]->init;
    auto begin = bytes.begin() + static_cast<ptrdiff_t>(std::min<uint64_t>(offset, bytes.size()));
    auto end = std::find(begin, bytes.end(), 0);
    return {reinterpret_cast<const char*>(bytes.data()) + (begin - bytes.begin()),
            static_cast<size_t>(end - begin)};
  }

  void one(const PrintfConversion& c, uint64_t bits) {
    std::string spec = "%" + c.flags;
    if (c.width) spec += std::to_string(*c.width);
    if (c.precision) spec += fmt::format(".{}", *c.precision);
    if (c.is_float()) {
      auto low = static_cast<uint32_t>(bits);
      double value = c.length == PrintfConversion::Length::Half
                         ? static_cast<double>(std::bit_cast<float>(low))
                         : std::bit_cast<double>(bits);
      // The sign of a NaN is not specified.
      print(out_, spec + c.kind, std::isnan(value) ? std::numeric_limits<double>::quiet_NaN() : value);
    } else if (c.kind == 'c') {
      character(c, static_cast<char>(bits));
    } else if (c.kind == 's') {
      const uint64_t number = bits & UINT32_MAX, offset = bits >> 32;
      const bool known = number != 0 && number <= texts_.size();
      print(out_, spec + 's', known ? std::string(text_of(number, offset)).c_str() : "(null)");
    } else if (c.kind == 'p') {
      std::string address = addresses_ == Addresses::Hidden && bits ? "0x?" : fmt::format("{:#x}", bits);
      print(out_, spec + 's', address.c_str());
    } else if (c.is_signed()) {
      print(out_, spec + "ll" + c.kind, static_cast<long long>(bits));
    } else {
      print(out_, spec + "ll" + c.kind, static_cast<unsigned long long>(bits));
    }
  }

  // Also the zero, which snprintf would take for the end.
  void character(const PrintfConversion& c, char value) {
    std::string padding(c.width.value_or(1) > 1 ? *c.width - 1 : 0, ' ');
    bool left = c.flags.find('-') != std::string::npos;
    out_ += left ? value + padding : padding + value;
  }

  Addresses addresses_;
  std::string& out_;
  std::vector<const MemoryObject*> texts_;
  std::vector<std::optional<std::vector<PrintfConversion>>> formats_;
};

struct Message {
  uint64_t item = 0;
  size_t place = 0, words = 0;
};

}  // namespace

// What a launch leaves that was stopped on the way may be anything: nothing is read beyond the buffer, and
// reading ends at what is no message.
PrintedText printed_text(std::span<const uint64_t> buffer, const Function& kernel, Addresses addresses) {
  constexpr size_t kHead = PrintfHead::kBytes / 8;
  PrintedText printed;
  if (buffer.size() <= kHead) return printed;
  printed.lost = buffer[PrintfHead::kLost / 8];
  uint64_t used = std::min<uint64_t>(buffer[PrintfHead::kUsed / 8] / 8, buffer.size() - kHead);
  std::vector<Message> messages;
  for (size_t at = kHead; at + 2 <= kHead + used;) {
    size_t words = buffer[at] >> 32;
    if (words < 2 || words > kHead + used - at) break;
    messages.push_back({buffer[at + 1], at, words});
    at += words;
  }
  std::ranges::stable_sort(messages, {}, &Message::item);
  PlainLocale plain;
  Printer printer(kernel, addresses, printed.text);
  for (const Message& m : messages)
    if (!printer.message(buffer[m.place] & 0xffffffff, buffer.subspan(m.place + 2, m.words - 2))) break;
  return printed;
}

std::string describe_lost(const PrintedText& printed, uint64_t buffer_bytes) {
  return fmt::format("{} message{} of printf had no room in a buffer of {} bytes", printed.lost,
                     printed.lost == 1 ? "" : "s", buffer_bytes);
}

}  // namespace kc
