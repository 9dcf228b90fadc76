// SPDX-License-Identifier: Apache-2.0
// The token feed: distinguishes keywords, typedef names and identifiers as the parser requests tokens.
#include <fmt/format.h>

#include <algorithm>

#include "frontend/parse/parse_driver.h"
#include "frontend/preprocess/keywords.h"
#include "frontend/source/interner.h"
#include "frontend/source/nearest_name.h"
#include "frontend/source/other_dialect_hints.h"

namespace kc::front {

// `throw` starts a statement, unless a declared entity has that name and the next token can follow a name;
// `try` precedes a brace; `catch` follows the body of a try or of another handler. Everywhere else the three
// are ordinary identifiers.
bool ParseDriver::starts_throw(size_t i) const {
  TokenKind after = tokens_[i + 1].kind;
  bool starts_operand = after == Tok::TokIdentifier || after == Tok::TokNumber ||
                        after == Tok::TokCharacter || after == Tok::TokSemicolon || after == Tok::TokTilde ||
                        after == Tok::TokBang;
  if (i == 0 || (find_name("throw") && !starts_operand)) return false;
  switch (previous_kind_) {
    case Tok::TokSemicolon:
    case Tok::TokLBrace:
    case Tok::TokRBrace:
    case Tok::TokRParen:
    case Tok::TokElse:
    case Tok::TokColon:
    case Tok::TokDo:
      return true;
    default:
      return false;
  }
}

// Whether the last token can stand in front of a type: `struct complex c` and `int complex` have a name
// there.
bool ParseDriver::may_begin_type() const {
  static constexpr TokenKind NotBefore[] = {Tok::TokStructWord,  Tok::TokUnionWord,   Tok::TokEnumWord,
                                            Tok::TokBuiltinType, Tok::TokTypedefName, Tok::TokStar,
                                            Tok::TokDot,         Tok::TokArrow};
  return std::ranges::find(NotBefore, previous_kind_) == std::end(NotBefore);
}

// `typedef unsigned int uint;`, as in headers that hosts include, too: the last word is a name. Sema compares
// the types.
bool ParseDriver::names_builtin_type(size_t i, TypeWord word) const {
  if (typedef_brackets_ != brackets_.size()) return false;
  static constexpr TypeWord Names[] = {TypeWord::UChar, TypeWord::UShort, TypeWord::UInt,
                                       TypeWord::ULong, TypeWord::Size,   TypeWord::Ptrdiff};
  static constexpr TokenKind After[] = {Tok::TokBuiltinType, Tok::TokTypedefName, Tok::TokIdentifier,
                                        Tok::TokRBrace,      Tok::TokRParen,      Tok::TokStar,
                                        Tok::TokComma};  // the identifier is a tag
  if (std::ranges::find(Names, word) == std::end(Names) ||
      std::ranges::find(After, previous_kind_) == std::end(After))
    return false;
  const TokenKind next = tokens_[i + 1].kind;
  return next == Tok::TokSemicolon || next == Tok::TokComma || is_attribute(i + 1);
}

bool ParseDriver::is_attribute(size_t i) const {
  return tokens_[i].kind == Tok::TokIdentifier && tokens_[i].text.starts_with("__attribute");
}

TokenKind ParseDriver::classify(size_t i, int& value) const {
  const Token& t = tokens_[i];
  if (t.kind != Tok::TokIdentifier) return t.kind;
  if (const KeywordRow* k = t.identifier ? t.identifier->keyword : nullptr) {
    if (k->kind == Tok::TokBuiltinType && names_builtin_type(i, static_cast<TypeWord>(k->value)))
      return Tok::TokIdentifier;
    value = k->value;
    return k->kind;
  }
  TokenKind after = tokens_[i + 1].kind;
  if (t.text == "try" && after == Tok::TokLBrace) return Tok::TokTry;
  if (t.text == "catch" && after == Tok::TokLParen && previous_kind_ == Tok::TokRBrace && closed_try_)
    return Tok::TokCatch;
  if (t.text == "throw" && starts_throw(i)) return Tok::TokThrow;
  if (const bool* is_typedef = find_name(t.text))
    return *is_typedef ? Tok::TokTypedefName : Tok::TokIdentifier;
  if (t.text == "vec_step") return Tok::TokVecStep;
  if (find_hidable_type(t.text)) return Tok::TokTypedefName;
  const bool followed = after == Tok::TokIdentifier && !is_attribute(i + 1);
  return is_unsupported_type(t.text, followed && may_begin_type()) ? Tok::TokUnsupportedType
                                                                   : Tok::TokIdentifier;
}

// Brackets are tracked one token late, so that at a syntax error the offending token is not among them.
void ParseDriver::track_brackets(size_t i) {
  switch (tokens_[i].kind) {
    case Tok::TokLParen:
      brackets_.push_back({i, i > 0 && tokens_[i - 1].text == "catch"});
      break;
    case Tok::TokLBracket:
      brackets_.push_back({i, false});
      break;
    case Tok::TokLBrace: {
      bool after_catch = i > 0 && tokens_[i - 1].kind == Tok::TokRParen && closed_try_;
      brackets_.push_back({i, after_catch || (i > 0 && tokens_[i - 1].text == "try")});
      break;
    }
    case Tok::TokRParen:
    case Tok::TokRBracket:
    case Tok::TokRBrace:
      if (!brackets_.empty()) {
        closed_try_ = brackets_.back().of_try;
        brackets_.pop_back();
      }
      break;
    default:
      break;
  }
}

void ParseDriver::obey_pack(const Pragma& p) {
  if (p.kind == Pragma::PackPop) {
    if (pack_.size() > 1)
      pack_.pop_back();
    else
      diagnostics_.warning(Warning::Pragmas, p.range, "'pack(pop)' without a 'pack(push)' is ignored");
  }
  if (p.kind == Pragma::PackPush) pack_.push_back(pack_.back());
  if (p.number != KeepPack) pack_.back() = p.number;
}

// FP_CONTRACT applies to the end of the enclosing block, or of the file.
void ParseDriver::obey_pragmas(size_t i) {
  const std::deque<Pragma>& all = tokens_.pragmas();
  for (; next_pragma_ < all.size() && all[next_pragma_].before <= i; ++next_pragma_) {
    const Pragma& p = all[next_pragma_];
    if (p.kind == Pragma::Other) continue;
    if (p.kind == Pragma::Unroll) {
      unroll_ = &p;
      continue;
    }
    if (p.kind == Pragma::Pack || p.kind == Pragma::PackPush || p.kind == Pragma::PackPop) {
      obey_pack(p);
      continue;
    }
    contraction_.back() = p.kind == Pragma::ContractOn    ? Contraction::On
                          : p.kind == Pragma::ContractOff ? Contraction::Off
                                                          : Contraction::ByOption;
  }
  if (unroll_) take_unroll_hint(i);
  if (tokens_[i].kind == Tok::TokLBrace)
    contraction_.push_back(contraction_.back());
  else if (tokens_[i].kind == Tok::TokRBrace && contraction_.size() > 1)
    contraction_.pop_back();
}

void ParseDriver::take_unroll_hint(size_t i) {
  std::string_view word = tokens_[i].text;
  if (word == "for" || word == "while" || word == "do")
    unroll_hints_[tokens_[i].range.begin] = unroll_->number;
  else
    diagnostics_.warning(Warning::Pragmas, unroll_->range,
                         "expected a 'for', 'while' or 'do' loop after this pragma; it is ignored");
  unroll_ = nullptr;
}

// `flaot x` is two consecutive identifiers where a declaration may start; the first was meant to be a type.
bool ParseDriver::is_unknown_type(size_t i) const {
  const Token& name = tokens_[i];
  const Token& after = tokens_[i + 1];
  if (name.kind != Tok::TokIdentifier || after.kind == Tok::TokEnd) return false;
  std::string_view before = i > 0 ? tokens_[i - 1].text : ";";
  bool outside = outside_bodies();
  bool named = after.kind == Tok::TokIdentifier && !after.text.starts_with("__attribute") &&
               (!find_keyword(after.text) || outside);
  bool pointer = outside && after.kind == Tok::TokStar;
  if (!named && !pointer) return false;
  static constexpr std::string_view Starts[] = {";",        "{",        "}",        "const",      "global",
                                                "__global", "constant", "static",   "__constant", "inline",
                                                "volatile", "kernel",   "__kernel", "typedef"};
  bool in_catch = before == "(" && i > 1 && tokens_[i - 2].text == "catch";
  bool in_list = in_catch || (outside && (before == "(" || before == ","));
  if (!in_list && std::find(std::begin(Starts), std::end(Starts), before) == std::end(Starts)) return false;
  return true;
}

std::string_view ParseDriver::nearest_type(const Token& name) const {
  if (diagnostics_.saturated()) return {};
  std::vector<std::string_view> candidates = declaration_words();
  for (const auto& [known, kinds] : names_)
    if (!kinds.empty() && kinds.back()) candidates.push_back(known);
  std::sort(candidates.begin(), candidates.end());
  return nearest_name(name.text, candidates);
}

// The parser gets the last token next, and no error at it is reported.
void ParseDriver::give_up() {
  next_ = last_error_ = tokens_.skip_to_end();
  untracked_ = SIZE_MAX;
  gave_up_ = true;
}

TokenKind ParseDriver::next_symbol(SymbolValue& value, SourceRange& range) {
  if (recovering_) {
    recovering_ = false;
    previous_kind_ = Tok::TokSemicolon;
    uint32_t at = tokens_[next_].range.begin;
    range = {at, at};
    return Tok::TokRecover;
  }
  if (untracked_ != SIZE_MAX) {
    track_brackets(untracked_);
    // What a message refers to lies in the same declaration, or is the token before it.
    const TokenKind last = tokens_[untracked_].kind;
    if (brackets_.empty() && (last == Tok::TokSemicolon || last == Tok::TokRBrace))
      tokens_.drop_before(untracked_);
  }
  if (brackets_.size() > 2 * MaxDepth && !gave_up_) {  // limits the growth of the parser's stack
    too_deep(tokens_[brackets_.back().token].range, MaxDepth + 1);
    const SourceRange deepest = tokens_[brackets_.back().token].range;
    give_up();
    tokens_.move_end(deepest);
  }
  size_t i = tokens_.index_of(next_);
  obey_pragmas(i);
  const Token& t = tokens_[i];
  int word = 0;
  TokenKind kind = classify(i, word);
  if (kind == Tok::TokStorageWord && static_cast<Storage>(word) == Storage::Typedef)
    typedef_brackets_ = brackets_.size();
  if (kind == Tok::TokSemicolon && typedef_brackets_ == brackets_.size()) typedef_brackets_ = SIZE_MAX;
  if (kind == Tok::TokIdentifier && !find_name(t.text) && is_unknown_type(i)) {
    report(unknown_type(i), t.from_macro);
    if (is_cxx_word(t.text)) {  // the tokens after it cannot be interpreted reliably
      give_up();
      brackets_.clear();
      return next_symbol(value, range);
    }
    untracked_ = i;
    next_ = i + 1;
    previous_kind_ = Tok::TokUnsupportedType;
    value.text = {};
    range = t.range;
    return Tok::TokUnsupportedType;
  }
  if (previous_kind_ == Tok::TokStructWord || previous_kind_ == Tok::TokUnionWord ||
      previous_kind_ == Tok::TokEnumWord)
    tags_.try_emplace(t.text, tokens_[i - 1].text);
  untracked_ = i;
  next_ = i + 1;
  previous_kind_ = kind;
  range = t.range;
  switch (kind) {
    case Tok::TokIdentifier:
    case Tok::TokTypedefName:
    case Tok::TokNumber:
    case Tok::TokCharacter:
    case Tok::TokString:
    case Tok::TokUnsupportedType:
      value.text = t.text;
      break;
    case Tok::TokBuiltinType:
      value.type_word = static_cast<TypeWord>(word);
      break;
    case Tok::TokSpaceWord:
      value.space = static_cast<AddressSpace>(word);
      break;
    case Tok::TokQualifierWord:
      value.qualifiers = static_cast<Qualifiers>(word);
      break;
    case Tok::TokStorageWord:
      value.storage = static_cast<Storage>(word);
      break;
    default:
      break;
  }
  return kind;
}

void ParseDriver::pop_scope() {
  for (std::string_view name : scopes_.back()) names_[name].pop_back();
  scopes_.pop_back();
}

void ParseDriver::open_block(bool is_record) {
  blocks_.push_back({brackets_.size() + 1, scopes_.size() + 1, is_record});
  push_scope();
}

void ParseDriver::close_block() {
  pop_scope();
  blocks_.pop_back();
}

void ParseDriver::declare_name(std::string_view name, bool is_typedef) {
  if (name.empty()) return;
  names_[name].push_back(is_typedef);
  scopes_.back().push_back(name);
}

const bool* ParseDriver::find_name(std::string_view name) const {
  static constexpr bool Answers[] = {false, true};
  auto found = names_.find(name);
  if (found == names_.end() || found->second.empty()) return nullptr;
  return &Answers[found->second.back()];
}

}  // namespace kc::front
