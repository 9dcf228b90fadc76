// SPDX-License-Identifier: Apache-2.0
// Writes a wave function line by line, with random choices.
#pragma once

#include <fmt/format.h>

#include <random>
#include <string>
#include <string_view>

namespace kc::test {

class WaveWriter {
 protected:
  WaveWriter(unsigned width, unsigned seed) : width_(width), random_(seed) {}

  /// Adds an instruction and returns its result.
  std::string line(std::string_view type, const std::string& rest) {
    body_ += fmt::format("  %{}: {} = {}\n", next_, type, rest);
    return fmt::format("%{}", next_++);
  }
  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }

  unsigned width_;
  std::string body_;

 private:
  std::mt19937 random_;
  int next_ = 20;  // smaller numbers are for what is written before
};

}  // namespace kc::test
