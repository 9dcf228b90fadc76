// SPDX-License-Identifier: Apache-2.0
#include "frontend/parse/token_window.h"

#include <algorithm>

namespace kc::front {

const Token TokenWindow::kBefore{.kind = Tok::TokSemicolon, .text = ";"};

bool TokenWindow::read() {
  if (ended_) return false;
  if (count_ - first_ == chunks_.size() * kChunk) chunks_.push_back(std::make_unique<Chunk>());
  Token token = source_.next();
  // The declarations of a missing file are unknown, so only its absence is reported, and that of others.
  while (source_.misses_file() && token.kind != Tok::TokEnd) token = source_.next();
  ended_ = token.kind == Tok::TokEnd;
  at(count_++) = token;
  return true;
}

size_t TokenWindow::skip_to_end() {
  while (read()) drop_before(count_ - 1);
  return count_ - 1;
}

void TokenWindow::drop_before(size_t i) {
  const size_t chunks = (i - first_) / kChunk;
  std::rotate(chunks_.begin(), chunks_.begin() + static_cast<std::ptrdiff_t>(chunks), chunks_.end());
  first_ += chunks * kChunk;
}

}  // namespace kc::front
