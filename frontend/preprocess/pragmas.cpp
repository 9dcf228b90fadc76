// SPDX-License-Identifier: Apache-2.0
// #pragma and _Pragma.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <optional>

#include "frontend/preprocess/macro.h"
#include "frontend/preprocess/preprocessor.h"
#include "ir/function.h"

namespace kc::front {

namespace {

// Extensions that kernels enable and that this language has built in or recognizes by name.
constexpr std::string_view KnownExtensions[] = {
    "all",
    "cl_amd_fp64",
    "cl_khr_byte_addressable_store",
    "cl_khr_fp64",
    "cl_khr_global_int32_base_atomics",
    "cl_khr_global_int32_extended_atomics",
    "cl_khr_int64_base_atomics",
    "cl_khr_int64_extended_atomics",
    "cl_khr_integer_dot_product",
    "cl_khr_local_int32_base_atomics",
    "cl_khr_local_int32_extended_atomics",
    "cl_khr_subgroup_ballot",
    "cl_khr_subgroup_non_uniform_arithmetic",
    "cl_khr_subgroup_non_uniform_vote",
    "cl_khr_subgroup_rotate",
    "cl_khr_subgroup_shuffle",
    "cl_khr_subgroup_shuffle_relative",
    "cl_khr_subgroups",
};
constexpr std::string_view Behaviours[] = {"enable", "disable", "require", "warn"};

template <class List>
bool contains(const List& list, std::string_view text) {
  return std::find(std::begin(list), std::end(list), text) != std::end(list);
}

std::optional<uint32_t> number_of(std::span<const Token> tokens) {
  std::string_view text = tokens.size() == 1 ? tokens[0].text : std::string_view();
  if (text.ends_with('u') || text.ends_with('U')) text.remove_suffix(1);
  uint32_t number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

void Preprocessor::pragma_directive(SourceRange range) {
  std::string_view text = lexer().rest_of_line().text;
  std::string copy(text);
  Lexer lexer(copy);
  std::vector<Token> tokens;
  for (Token t = lexer.next(); t.kind != Tok::TokEnd; t = lexer.next()) tokens.push_back(t);
  pragma(tokens, text, range, true);
}

// _Pragma("text"): the quotes are removed, and \" and \\ lose their backslash.
void Preprocessor::pragma_operator(const Token& word) {
  Token open = next_raw(), string = open, close = open;
  if (open.kind == Tok::TokLParen) string = next_raw();
  if (string.kind == Tok::TokString) close = next_raw();
  if (close.kind != Tok::TokRParen || string.malformed) {
    diagnostics_.error(word.range, "_Pragma takes one string in parentheses");
    return;
  }
  std::string text;
  for (size_t i = 1; i + 1 < string.text.size(); ++i) {
    bool escape = string.text[i] == '\\' && (string.text[i + 1] == '"' || string.text[i + 1] == '\\');
    text += string.text[escape ? ++i : i];
  }
  text.erase(0, text.find_first_not_of(" \t"));
  std::vector<Token> tokens;
  std::string_view kept = keep(text);
  Lexer lexer(text);
  for (Token t = lexer.next(); t.kind != Tok::TokEnd; t = lexer.next()) tokens.push_back(t);
  pragma(tokens, kept, word.range, false);
}

void Preprocessor::pragma(const std::vector<Token>& tokens, std::string_view text, SourceRange range,
                          bool in_file) {
  auto word = [&](size_t i) { return i < tokens.size() ? tokens[i].text : std::string_view(); };
  if (tokens.empty()) return;
  Pragma p{emitted_, Pragma::Other, 0, range, text};
  if (word(0) == "once") {
    if (in_file) once_.insert(files_.back().file.get());
    return;
  }
  if ((word(0) == "OPENCL" || word(0) == "STDC") && word(1) == "FP_CONTRACT")
    p.kind = contraction_pragma(word(2), tokens.size(), range);
  else if (word(0) == "OPENCL" && word(1) == "EXTENSION")
    extension_pragma(tokens, range);
  else if (word(0) == "unroll" || word(0) == "nounroll")
    unroll_pragma(tokens, p);
  else if (word(0) == "pack")
    pack_pragma(tokens, p);
  else
    diagnostics_.warning(Warning::UnknownPragmas, range,
                         fmt::format("unknown pragma '{}' is ignored", word(0).substr(0, 60)));
  pragmas_.push_back(p);
}

Pragma::Kind Preprocessor::contraction_pragma(std::string_view value, size_t tokens, SourceRange range) {
  if (tokens == 3 && value == "ON") return Pragma::ContractOn;
  if (tokens == 3 && value == "OFF") return Pragma::ContractOff;
  if (tokens == 3 && value == "DEFAULT") return Pragma::ContractDefault;
  diagnostics_.warning(Warning::Pragmas, range,
                       "FP_CONTRACT takes ON, OFF or DEFAULT; this pragma is ignored");
  return Pragma::Other;
}

// What a macro without parameters stands for, also in parentheses.
std::span<const Token> Preprocessor::expanded(std::span<const Token> tokens) {
  constexpr int MaxMacros = 32;
  for (int i = 0; i < MaxMacros; ++i) {
    bool in_parentheses =
        tokens.size() > 2 && tokens.front().kind == Tok::TokLParen && tokens.back().kind == Tok::TokRParen;
    if (in_parentheses) tokens = tokens.subspan(1, tokens.size() - 2);
    const Macro* macro = tokens.size() == 1 && tokens[0].kind == Tok::TokIdentifier
                             ? interner_.intern(keep(tokens[0].text))->macro
                             : nullptr;
    if (!macro || macro->function_like || macro->builtin != BuiltinMacro::None) break;
    tokens = macro->body;
  }
  return tokens;
}

// `unroll`, `unroll N`, `unroll(N)`, `nounroll`. N is a number or a macro that expands to one.
void Preprocessor::unroll_pragma(std::span<const Token> tokens, Pragma& p) {
  const std::string_view name = tokens[0].text;
  const bool has_more = tokens.size() > 1;
  const std::optional<uint32_t> number = number_of(expanded(tokens.subspan(1)));
  if (name == "nounroll" ? has_more : has_more && (!number || *number == 0 || *number >= UnrollFully)) {
    const char* what = name == "nounroll" ? "takes nothing" : "takes an integer constant above 0";
    diagnostics_.warning(Warning::Pragmas, p.range,
                         fmt::format("'{}' {}; this pragma is ignored", name, what));
    return;
  }
  p.kind = Pragma::Unroll;
  p.number = has_more ? *number : name == "nounroll" ? NeverUnroll : UnrollFully;
  if (has_more) p.text = keep(fmt::format("unroll {}", p.number));  // -E output contains no macros
}

// `pack(4)`, `pack()`, `pack(push)`, `pack(push, 4)`, `pack(pop)`, and with a label behind `push` and `pop`,
// which are then as without. The number may be a macro. A push without a number keeps the alignment.
void Preprocessor::pack_pragma(std::span<const Token> tokens, Pragma& p) {
  const auto ignored = [&](std::string_view why) {
    diagnostics_.warning(Warning::Pragmas, p.range, fmt::format("'pack' {}; this pragma is ignored", why));
  };
  constexpr std::string_view Forms = "takes '(push, N)', '(pop)', '(N)' or '()'";
  if (tokens.size() < 3 || tokens[1].kind != Tok::TokLParen || tokens.back().kind != Tok::TokRParen)
    return ignored(Forms);
  std::span<const Token> rest = tokens.subspan(2, tokens.size() - 3);
  const std::string_view word = rest.empty() ? std::string_view() : rest[0].text;
  Pragma::Kind kind = word == "push" ? Pragma::PackPush : word == "pop" ? Pragma::PackPop : Pragma::Pack;
  uint32_t most = rest.empty() ? 0 : KeepPack;
  if (kind != Pragma::Pack) {
    rest = rest.subspan(1);
    const auto goes_on = [&] { return rest.size() > 1 && rest[0].kind == Tok::TokComma; };
    const auto is_label = [&] { return expanded(rest.subspan(1, 1))[0].kind == Tok::TokIdentifier; };
    if (goes_on() && is_label()) rest = rest.subspan(2);
    if (!rest.empty() && !goes_on()) return ignored(Forms);
    if (!rest.empty()) rest = rest.subspan(1);
  }
  if (!rest.empty()) {
    const std::optional<uint32_t> number = number_of(expanded(rest));
    if (!number || *number > 16 || std::popcount(*number) > 1)
      return ignored("takes the alignments 1, 2, 4, 8 and 16");
    most = *number;
    const char* before = kind == Pragma::Pack ? "" : kind == Pragma::PackPush ? "push, " : "pop, ";
    p.text = keep(fmt::format("pack({}{})", before, most));  // -E output contains no macros
  }
  p.kind = kind;
  p.number = most;
}

void Preprocessor::extension_pragma(const std::vector<Token>& tokens, SourceRange range) {
  bool formed = tokens.size() == 5 && tokens[2].kind == Tok::TokIdentifier &&
                tokens[3].kind == Tok::TokColon && contains(Behaviours, tokens[4].text);
  if (!formed)
    diagnostics_.warning(Warning::Pragmas, range,
                         "expected 'EXTENSION name : enable' or 'disable'; this pragma is ignored");
  else if (!contains(KnownExtensions, tokens[2].text) && tokens[4].text != "disable")
    diagnostics_.warning(Warning::Pragmas, range,
                         fmt::format("unsupported extension '{}' is ignored", tokens[2].text));
}

}  // namespace kc::front
