// SPDX-License-Identifier: Apache-2.0
// Places in a source that can be changed, and a source with some of them changed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace kc::mutants {

enum class Kind : uint8_t {
  Relation,
  Logic,
  Condition,
  Arithmetic,
  Constant,
  Truth,
  Dropped,
  Exchanged,
  Opcode
};
std::string name_of(Kind kind);

/// Bytes of a source, [begin, end).
struct Span {
  unsigned begin = 0, end = 0;
};

struct Site {
  Kind kind = Kind::Relation;
  Span span;
  /// Two operands or arguments, or nothing.
  std::vector<Span> parts;
  /// The function of switch.h; for dropped statements "jump" or "expression"; the name of the other opcode.
  std::string change;
  unsigned line = 0;
  std::string function;  // that the place is in
};

/// A site that became mutant `id`.
struct Chosen {
  Site site;
  unsigned id = 0;
};

/// The source with all of them behind switches. Sites lie one in another or apart.
std::string mutated(const std::string& source, std::vector<Chosen> chosen);

/// A line for each site: kind, line, function, change, span and parts, separated by blanks.
std::string to_text(const std::vector<Site>& sites);
/// The sites of such a text, of a source of `size` bytes; false if something is wrong with it.
bool from_text(const std::string& text, size_t size, std::vector<Site>& sites);

/// One line for readers: what stands there, and what the mutant makes of it.
std::string description(const std::string& source, const Site& site);

}  // namespace kc::mutants
