// SPDX-License-Identifier: Apache-2.0
// index_prelude TABLE.cpp FILE.cl...: splits the files into definitions, finds their dependencies, and writes
// them as the table that table.h declares. Comments and redundant blanks are removed.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

namespace {

struct Definition {
  std::string name;
  std::string text;
  std::vector<size_t> needs;
};

bool in_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// Removes comments; each run of white space becomes one blank, or none beside punctuation.
std::string compact(const std::string& text) {
  std::string out;
  bool blank = false;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text.compare(i, 2, "//") == 0) {
      i = std::min(text.find('\n', i), text.size());
      blank = true;
    } else if (std::isspace(static_cast<unsigned char>(text[i]))) {
      blank = true;
    } else {
      // Two adjacent operator characters could form another operator.
      bool apart = !out.empty() && (in_word(out.back()) == in_word(text[i]));
      if (blank && apart) out += ' ';
      blank = false;
      out += text[i];
    }
  }
  return out;
}

// The name precedes the first parenthesis, bracket or brace outside others.
std::string name_of(const std::string& text) {
  size_t end = text.find_first_of("([{=");
  while (end > 0 && !in_word(text[end - 1])) --end;
  size_t begin = end;
  while (begin > 0 && in_word(text[begin - 1])) --begin;
  return text.substr(begin, end - begin);
}

// A function ends with its body, any other definition with a semicolon.
std::vector<Definition> definitions_of(const std::string& text) {
  std::vector<Definition> found;
  size_t begin = 0;
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '{') ++depth;
    if (text[i] == '}') --depth;
    if (depth != 0 || (text[i] != '}' && text[i] != ';')) continue;
    std::string one = text.substr(begin, i + 1 - begin);
    bool is_function = one[one.find_first_of("({=")] == '(';
    if (text[i] == '}' && !is_function) continue;
    found.push_back({name_of(one), one, {}});
    begin = i + 1;
  }
  return found;
}

// Sets the definitions that the text refers to.
void find_needs(Definition& d, const std::map<std::string, size_t>& known) {
  for (size_t i = 0; i < d.text.size();) {
    size_t end = i;
    while (end < d.text.size() && in_word(d.text[end])) ++end;
    auto found = known.find(d.text.substr(i, end - i));
    if (found != known.end()) d.needs.push_back(found->second);
    i = std::max(end, i + 1);
  }
  std::sort(d.needs.begin(), d.needs.end());
  d.needs.erase(std::unique(d.needs.begin(), d.needs.end()), d.needs.end());
}

std::string table(const std::vector<Definition>& all, const std::map<std::string, size_t>& names) {
  std::string s =
      "// Written by prelude/index.cpp.\n#include \"prelude/table.h\"\n\nnamespace kc::prelude {\n";
  s += "namespace {\n";
  for (size_t i = 0; i < all.size(); ++i)
    if (!all[i].needs.empty())
      s += fmt::format("constexpr uint16_t Needs{}[] = {{{}}};\n", i, fmt::join(all[i].needs, ", "));
  s += "constexpr Definition All[] = {\n";
  for (size_t i = 0; i < all.size(); ++i)
    s += fmt::format("    {{\"{}\",\n     R\"#({})#\",\n     {}}},\n", all[i].name, all[i].text,
                     all[i].needs.empty() ? "{}" : fmt::format("Needs{}", i));
  s += "};\nconstexpr uint16_t ByName[] = {";
  for (const auto& [name, index] : names) s += fmt::format("{}, ", index);
  s += "};\n}  // namespace\n\nstd::span<const Definition> definitions() { return All; }\n";
  s += "std::span<const uint16_t> by_name() { return ByName; }\n\n}  // namespace kc::prelude\n";
  return s;
}

int fail(const std::string& what) {
  fmt::print(stderr, "index_prelude: {}\n", what);
  return 1;
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 3) return fail("usage: index_prelude TABLE.cpp FILE.cl...");
  std::vector<Definition> all;
  std::map<std::string, size_t> names;
  for (int i = 2; i < count; ++i) {
    std::ifstream in(arguments[i], std::ios::binary);
    if (!in) return fail(fmt::format("cannot read '{}'", arguments[i]));
    std::string text{std::istreambuf_iterator<char>(in), {}};
    for (Definition& d : definitions_of(compact(text))) {
      find_needs(d, names);
      if (!names.emplace(d.name, all.size()).second) return fail(fmt::format("two '{}'", d.name));
      all.push_back(std::move(d));
    }
  }
  std::ofstream out(arguments[1], std::ios::binary);
  out << table(all, names);
  return out.flush() ? 0 : fail(fmt::format("cannot write '{}'", arguments[1]));
}
