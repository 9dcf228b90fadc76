// SPDX-License-Identifier: Apache-2.0
// The tokens that the parser looks at. They are read from their source when they are first asked for, and
// those far behind the parser are dropped: a program of a million tokens never exists as a whole.
#pragma once
#include <array>
#include <memory>
#include <vector>

#include "frontend/preprocess/token_source.h"

namespace kc::front {

class TokenWindow {
 public:
  explicit TokenWindow(TokenSource& source) : source_(source) {}
  // The token with this index; after the last one, End; before those that are kept, a semicolon. The
  // reference is valid until the token is dropped.
  const Token& operator[](size_t i) { return i < first_ ? kBefore : at(index_of(i)); }
  // The index of the token, or of the last one.
  size_t index_of(size_t i) {
    while (i >= count_ && read()) continue;
    return i < count_ ? i : count_ - 1;
  }
  // Reads all that is left, and returns the index of the last token, which is End.
  size_t skip_to_end();
  void move_end(SourceRange range) { at(skip_to_end()).range = range; }
  // Tokens with lower indices are not asked for any more.
  void drop_before(size_t i);
  // Whether an included file is missing. Nothing follows the place where it was asked for.
  bool is_cut() const { return source_.misses_file(); }
  const std::deque<Pragma>& pragmas() const { return source_.pragmas(); }

 private:
  static constexpr size_t kChunk = 1024;
  using Chunk = std::array<Token, kChunk>;
  static const Token kBefore;

  Token& at(size_t i) { return (*chunks_[(i - first_) / kChunk])[i % kChunk]; }
  bool read();  // one token more; false after End

  TokenSource& source_;
  std::vector<std::unique_ptr<Chunk>> chunks_;  // the kept ones, and then those to fill
  size_t first_ = 0;  // the index of the first token that is kept: a multiple of kChunk
  size_t count_ = 0;  // of the tokens that were read
  bool ended_ = false;
};

}  // namespace kc::front
