// SPDX-License-Identifier: Apache-2.0
#include "snippets.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <regex>

namespace fs = std::filesystem;

namespace {

std::vector<std::string> words(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> found;
  for (std::string w; in >> w;) found.push_back(w);
  return found;
}

}  // namespace

std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

std::vector<fs::path> golden_files() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(KC_SOURCE_DIR "/tests/diag"))
    if (entry.path().extension() == ".cl") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<Snippet> read_snippets(const fs::path& path) {
  std::string text = read_file(path), file_name = path.filename().string();
  const std::string separator = "//---- ", flag_line = "// flags: ";
  std::vector<std::string> common;
  if (text.starts_with(flag_line))
    common = words(text.substr(flag_line.size(), text.find('\n') - flag_line.size()));
  if (text.find("\n" + separator) == std::string::npos && !text.starts_with(separator))
    return {{path.stem().string(), text, common, file_name}};
  std::vector<Snippet> snippets;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with(separator)) {
      std::vector<std::string> head = words(line.substr(separator.size()));
      REQUIRE(!head.empty());
      snippets.push_back({head[0], "", common, file_name});
      snippets.back().flags.insert(snippets.back().flags.end(), head.begin() + 1, head.end());
    } else if (!snippets.empty()) {
      snippets.back().text += line + "\n";
    }
  }
  return snippets;
}

kc::FrontendOptions options_from(const std::vector<std::string>& flags) {
  kc::FrontendOptions options;
  for (const std::string& f : flags) {
    if (f == "-w")
      options.diagnostics.silent = true;
    else if (f.starts_with("-ferror-limit="))
      options.diagnostics.error_limit = std::stoi(f.substr(14));
    else if (f.starts_with("-W"))
      options.diagnostics.warnings.push_back(f.substr(2));
    else if (f.starts_with("-D"))
      options.defines.push_back(f.substr(2));
    else
      FAIL("a test asks for the option " + f);
  }
  return options;
}

kc::FrontendOptions options_for(const Snippet& s) {
  kc::FrontendOptions options = options_from(s.flags);
  options.file_name = s.file_name;
  return options;
}

size_t apply_fixits(const std::string& json, std::string& text) {
  struct Change {
    size_t begin, end;
    std::string with;
  };
  std::vector<size_t> starts{0};
  for (size_t i = 0; i < text.size(); ++i)
    if (text[i] == '\n') starts.push_back(i + 1);
  std::vector<Change> changes;
  size_t carriers = 0;
  std::istringstream in(json);
  for (std::string line; std::getline(in, line);) {
    static const std::regex One(
        R"re(\{"line":(\d+),"column":(\d+),"end_line":(\d+),"end_column":(\d+),"text":"((?:[^"\\]|\\.)*)"\})re");
    size_t before = changes.size();
    for (std::sregex_iterator m(line.begin(), line.end(), One), end; m != end; ++m) {
      auto offset = [&](int l, int c) {
        return starts.at(std::stoul((*m)[l]) - 1) + std::stoul((*m)[c]) - 1;
      };
      changes.push_back({offset(1, 2), offset(3, 4), (*m)[5]});
    }
    carriers += changes.size() > before;
  }
  std::stable_sort(changes.begin(), changes.end(), [](auto& a, auto& b) { return a.begin < b.begin; });
  for (size_t i = changes.size(); i-- > 0;) {
    if (i + 1 < changes.size()) REQUIRE(changes[i].end <= changes[i + 1].begin);
    text.replace(changes[i].begin, changes[i].end - changes[i].begin, changes[i].with);
  }
  return carriers;
}
