// SPDX-License-Identifier: Apache-2.0
#include "frontend/preprocess/print_tokens.h"

#include <fmt/format.h>

namespace kc::front {

namespace {

class TokenPrinter {
 public:
  explicit TokenPrinter(const Sources& sources) : sources_(sources) {}

  void line_start(Position p) {
    const auto [name, at] = sources_.place(p);
    if (!out_.empty() && out_.back() != '\n') out_ += '\n', ++line_;
    bool near = name == name_ && at.line >= line_ && at.line - line_ <= MaxBlankLines;
    if (near) {
      out_.append(at.line - line_, '\n');
    } else {
      std::string quoted;
      for (char c : name) {
        if (c == '"' || c == '\\') quoted += '\\';
        quoted += c;
      }
      out_ += fmt::format("#line {} \"{}\"\n", at.line, quoted);
    }
    name_ = name;
    line_ = at.line;
    out_.append(at.column - 1 < MaxIndent ? at.column - 1 : MaxIndent, ' ');
  }

  void token(const Token& t, const Token* previous) {
    if (t.before.line_start || !previous)
      line_start(t.range.begin);
    else if (t.before.space || would_join(*previous, t))
      out_ += ' ';
    out_ += t.text;
  }

  void pragma(const Pragma& p) {
    line_start(p.range.begin);
    out_.append("#pragma ").append(p.text).append("\n");
    ++line_;
  }

  std::string finish() {
    if (!out_.empty() && out_.back() != '\n') out_ += '\n';
    return std::move(out_);
  }

 private:
  static constexpr uint32_t MaxBlankLines = 8;
  static constexpr uint32_t MaxIndent = 40;

  // Adjacent tokens of a file are already separate; for other pairs the lexer decides.
  bool would_join(const Token& a, const Token& b) {
    if (!a.from_macro && !b.from_macro && !b.detached) return false;
    if (a.kind == Tok::TokDot && b.kind == Tok::TokDot) return true;  // a third dot would make "..."
    buffer_.assign(a.text).append(b.text);
    Token first = Lexer(buffer_).next();
    return first.text.size() != a.text.size();
  }

  const Sources& sources_;
  std::string out_;
  std::string buffer_;
  std::string name_;
  uint32_t line_ = 1;
};

}  // namespace

std::string print_tokens(const std::vector<Token>& tokens, const std::deque<Pragma>& pragmas,
                         const Sources& sources) {
  TokenPrinter printer(sources);
  size_t next_pragma = 0;
  const Token* previous = nullptr;
  for (size_t i = 0; i < tokens.size(); ++i) {
    for (; next_pragma < pragmas.size() && pragmas[next_pragma].before == i; ++next_pragma) {
      printer.pragma(pragmas[next_pragma]);
      previous = nullptr;
    }
    if (tokens[i].kind == Tok::TokEnd) break;
    printer.token(tokens[i], previous);
    previous = &tokens[i];
  }
  return printer.finish();
}

}  // namespace kc::front
