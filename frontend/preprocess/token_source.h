// SPDX-License-Identifier: Apache-2.0
// What the parser reads from.
#pragma once
#include <deque>

#include "frontend/preprocess/pragma.h"
#include "frontend/source/token.h"

namespace kc::front {

class TokenSource {
 public:
  virtual ~TokenSource() = default;
  // The next token; after the last one, End.
  virtual Token next() = 0;
  // Those met so far, in token order.
  virtual const std::deque<Pragma>& pragmas() const = 0;
  // Whether an included file was asked for and is missing.
  virtual bool misses_file() const { return false; }
};

}  // namespace kc::front
