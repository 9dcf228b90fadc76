// SPDX-License-Identifier: Apache-2.0
// What the compiler did and why, for people who ask with -Rpass.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/function.h"

namespace kc {

/// What a note says, for those who choose among notes.
enum class NoteKind : uint8_t {
  Place,    // where something else is that belongs to the remark
  Data,     // a value differs because one that it is computed from does
  Address,  // what is loaded differs because the address does
  Join,     // a value differs because a divergent branch decides which one it is
  Loop,     // a value differs because work-items leave a loop in different iterations
};
struct RemarkNote {
  Loc loc;
  std::string text;
  NoteKind kind = NoteKind::Place;
  bool operator==(const RemarkNote&) const = default;
};
struct Remark {
  std::string pass;
  Loc loc;
  std::string text;
  std::vector<RemarkNote> notes{};
  bool operator==(const Remark&) const = default;
};

/// Collects the remarks of the passes that somebody wants to hear of. Who makes a remark that costs something
/// asks first.
class Remarks {
 public:
  explicit Remarks(std::function<bool(std::string_view pass)> wanted) : wanted_(std::move(wanted)) {}
  bool wants(std::string_view pass) const { return wanted_(pass); }
  /// A remark without a place in the source is dropped.
  void add(Remark remark);
  void clear() { list_.clear(); }
  void add(const Remarks& others) { list_.insert(list_.end(), others.list_.begin(), others.list_.end()); }
  /// In order of their places, each once.
  std::vector<Remark> sorted() const;

 private:
  std::function<bool(std::string_view)> wanted_;
  std::vector<Remark> list_;
};

}  // namespace kc
