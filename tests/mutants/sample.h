// SPDX-License-Identifier: Apache-2.0
// Which of all places become mutants.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/mutants/change.h"

namespace kc::mutants {

struct Source {
  std::string file;  // relative to the repository
  std::string text;
  std::vector<Site> sites;
  std::vector<Chosen> chosen;  // in the order of the text
};

/// Chooses `count` sites and numbers them from 1. A file gets as many as its share of all lines of code, at
/// least one, and within a file each kind has the same chance. The same seed makes the same choice.
void choose(std::vector<Source>& sources, size_t count, uint64_t seed);

}  // namespace kc::mutants
