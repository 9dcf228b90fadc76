// SPDX-License-Identifier: Apache-2.0
// Writes copies of sources with mutants behind switches:
//
//   mutant_sources SEED COUNT ROOT SITES OUT EXCLUDED FILE...
//
// ROOT is the repository, and FILE is relative to it. SITES/FILE.sites is what mutant_sites found in it.
// OUT/FILE are the copies, OUT/mutants.tsv is the list: number, file, line, function, kind, and the change.
// EXCLUDED has lines "FILE reason" and "FILE:FUNCTION reason"; what they name has no mutants.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "tests/mutants/sample.h"

namespace {

using namespace kc::mutants;
namespace fs = std::filesystem;

int fail(const std::string& message) {
  std::fprintf(stderr, "mutant_sources: error: %s\n", message.c_str());
  return 1;
}

std::string read(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

// A file that is as it should be keeps its time, so it is not compiled again.
bool write(const fs::path& file, const std::string& text) {
  if (fs::exists(file) && read(file) == text) return true;
  fs::create_directories(file.parent_path());
  std::ofstream out(file, std::ios::binary);
  out << text;
  return static_cast<bool>(out.flush());
}

std::set<std::string> excluded_names(const std::string& text) {
  std::set<std::string> names;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    if (!line.empty() && line[0] != '#') names.insert(line.substr(0, line.find(' ')));
  return names;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() < 7) return fail("usage: mutant_sources SEED COUNT ROOT SITES OUT EXCLUDED FILE...");
  const uint64_t seed = std::strtoull(words[0].c_str(), nullptr, 10);
  const size_t count = std::strtoull(words[1].c_str(), nullptr, 10);
  const fs::path root = words[2], places = words[3], out = words[4];
  const std::set<std::string> excluded = excluded_names(read(words[5]));

  std::vector<Source> sources;
  std::set<std::string> known;
  for (auto word = words.begin() + 6; word != words.end(); ++word) {
    Source s{.file = *word, .text = read(root / *word), .sites = {}, .chosen = {}};
    if (s.text.empty()) return fail("cannot read " + *word);
    if (!from_text(read(places / (*word + ".sites")), s.text.size(), s.sites))
      return fail("the list of sites of " + *word + " is damaged");
    known.insert(s.file);
    for (const Site& site : s.sites) known.insert(s.file + ":" + site.function);
    std::erase_if(s.sites, [&](const Site& site) {
      return excluded.contains(s.file) || excluded.contains(s.file + ":" + site.function);
    });
    sources.push_back(std::move(s));
  }
  for (const std::string& name : excluded)
    if (!known.contains(name)) return fail("there is no '" + name + "', which is excluded");
  choose(sources, count, seed);

  std::ostringstream list;
  for (const Source& s : sources) {
    for (const Chosen& c : s.chosen)
      list << c.id << '\t' << s.file << '\t' << c.site.line << '\t' << c.site.function << '\t'
           << name_of(c.site.kind) << '\t' << description(s.text, c.site) << '\n';
    const std::string text = "#line 1 \"" + (root / s.file).string() + "\"\n" + mutated(s.text, s.chosen);
    if (!write(out / s.file, text)) return fail("cannot write " + (out / s.file).string());
  }
  if (!write(out / "mutants.tsv", list.str())) return fail("cannot write the list");
  return 0;
}
