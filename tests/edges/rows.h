// SPDX-License-Identifier: Apache-2.0
// Expressions of the kernel language over one type, for arguments at the edges of that type.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kc::test {

/// The result type of an expression; all NaNs are equal.
enum class Outcome { Integer, Float, Double };

struct Row {
  std::string expression;  // in x, y and z of the type
  Outcome outcome = Outcome::Integer;
  bool is_defined = true;  // in OpenCL, too; otherwise only kernelc's engines are compared
};

struct EdgeType {
  std::string name;     // in the source language
  std::string element;  // of a buffer, on the command line
  unsigned bytes = 0;
  std::vector<uint64_t> edges;  // as bits
  std::vector<Row> rows;
};

/// The eight integer types, and float and double.
std::vector<EdgeType> integer_edge_types();
std::vector<EdgeType> float_edge_types();

extern const std::vector<std::string> kIntegerNames;

/// Replaces every `$` and the letter after it by that letter's text.
struct Letter {
  char letter;
  std::string text;
};
std::string fill_in(std::string_view pattern, const std::vector<Letter>& letters);

}  // namespace kc::test
