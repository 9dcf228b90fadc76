// SPDX-License-Identifier: Apache-2.0
// Splits the files of this folder into their programs.
#pragma once
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "frontend/frontend.h"

struct Snippet {
  std::string name, text;
  std::vector<std::string> flags;
  std::string file_name;
};

std::string read_file(const std::filesystem::path& path);
std::vector<std::filesystem::path> golden_files();
std::vector<Snippet> read_snippets(const std::filesystem::path& path);
kc::FrontendOptions options_for(const Snippet& s);
kc::FrontendOptions options_from(const std::vector<std::string>& flags);

/// Applies every fix-it of diagnostics in JSON form to the text; returns the number of diagnostics with
/// fix-its.
size_t apply_fixits(const std::string& json, std::string& text);
