// SPDX-License-Identifier: Apache-2.0
#include "tests/mutants/change.h"

#include <algorithm>
#include <array>
#include <sstream>
#include <string_view>

namespace kc::mutants {
namespace {

class Renderer {
 public:
  Renderer(const std::string& source, std::vector<Chosen> chosen)
      : source_(source), chosen_(std::move(chosen)) {
    // What contains another comes before it.
    std::stable_sort(chosen_.begin(), chosen_.end(), [](const Chosen& a, const Chosen& b) {
      return std::pair{a.site.span.begin, ~a.site.span.end} < std::pair{b.site.span.begin, ~b.site.span.end};
    });
  }

  std::string all() const { return text({0, static_cast<unsigned>(source_.size())}, 0); }

 private:
  // The bytes of a span, with the sites in it from number `from` on.
  std::string text(Span span, size_t from) const {
    std::string out;
    unsigned at = span.begin;
    for (size_t k = from; k < chosen_.size(); ++k) {
      const Span inner = chosen_[k].site.span;
      if (inner.begin < at || inner.end > span.end) continue;
      out += source_.substr(at, inner.begin - at) + site(k);
      at = inner.end;
    }
    return out + source_.substr(at, span.end - at);
  }

  std::string part(size_t k, size_t n) const { return text(chosen_[k].site.parts[n], k + 1); }

  std::string site(size_t k) const {
    const Site& s = chosen_[k].site;
    const std::string id = std::to_string(chosen_[k].id);
    const std::string on = "::kc::mutants::on(" + id + ")";
    const std::string call = "::kc::mutants::" + s.change + "(" + id + ", ";
    switch (s.kind) {
      case Kind::Relation:
      case Kind::Arithmetic:
        return call + part(k, 0) + ", " + part(k, 1) + ")";
      case Kind::Logic:
        return call + "static_cast<bool>(" + part(k, 0) + "), [&] { return static_cast<bool>(" + part(k, 1) +
               "); })";
      case Kind::Condition:
        return call + "static_cast<bool>(" + text(s.span, k + 1) + "))";
      case Kind::Constant:
      case Kind::Truth:
        return call + text(s.span, k + 1) + ")";
      case Kind::Dropped:
        return s.change == "jump" ? "{ if (!" + on + ") " + text(s.span, k + 1) + " }"
                                  : "(" + on + " ? void() : static_cast<void>(" + text(s.span, k + 1) + "))";
      case Kind::Exchanged:
        return "(" + on + " ? " + part(k, 1) + " : " + part(k, 0) + ")" +
               source_.substr(s.parts[0].end, s.parts[1].begin - s.parts[0].end) + "(" + on + " ? " +
               part(k, 0) + " : " + part(k, 1) + ")";
      case Kind::Opcode:
        return "::kc::mutants::other(" + id + ", " + text(s.span, k + 1) + ", " + s.change + ")";
    }
    return {};
  }

  const std::string& source_;
  std::vector<Chosen> chosen_;
};

constexpr std::array<std::string_view, 9> kNames{"relation", "logic",   "condition", "arithmetic", "constant",
                                                 "truth",    "dropped", "exchanged", "opcode"};

bool takes_parts(Kind k) {
  return k == Kind::Relation || k == Kind::Logic || k == Kind::Arithmetic || k == Kind::Exchanged;
}

std::string one_line(std::string text) {
  std::string out;
  for (char c : text)
    if (c != '\n' && c != '\t')
      out += c;
    else if (!out.ends_with(' '))
      out += ' ';
  while (out.find("  ") != std::string::npos) out.erase(out.find("  "), 1);
  constexpr size_t kLongest = 90;
  return out.size() > kLongest ? out.substr(0, kLongest) + "..." : out;
}

}  // namespace

std::string name_of(Kind kind) { return std::string(kNames[static_cast<size_t>(kind)]); }

std::string to_text(const std::vector<Site>& sites) {
  std::ostringstream out;
  for (const Site& s : sites) {
    out << name_of(s.kind) << ' ' << s.line << ' ' << s.function << ' ' << s.change << ' ' << s.span.begin
        << ' ' << s.span.end;
    for (const Span& part : s.parts) out << ' ' << part.begin << ' ' << part.end;
    out << '\n';
  }
  return out.str();
}

bool from_text(const std::string& text, size_t size, std::vector<Site>& sites) {
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string kind;
    Site s;
    if (!(words >> kind >> s.line >> s.function >> s.change >> s.span.begin >> s.span.end)) return false;
    const auto name = std::find(kNames.begin(), kNames.end(), kind);
    if (name == kNames.end() || s.span.begin >= s.span.end || s.span.end > size) return false;
    s.kind = static_cast<Kind>(name - kNames.begin());
    for (Span part; words >> part.begin >> part.end;) {
      if (part.begin < s.span.begin || part.begin >= part.end || part.end > s.span.end) return false;
      s.parts.push_back(part);
    }
    if (s.parts.size() != (takes_parts(s.kind) ? 2 : 0)) return false;
    sites.push_back(std::move(s));
  }
  return true;
}

std::string mutated(const std::string& source, std::vector<Chosen> chosen) {
  return Renderer(source, std::move(chosen)).all();
}

std::string description(const std::string& source, const Site& site) {
  auto bytes = [&](Span s) { return one_line(source.substr(s.begin, s.end - s.begin)); };
  return bytes(site.span) + "  =>  " + site.change;
}

}  // namespace kc::mutants
