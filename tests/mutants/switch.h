// SPDX-License-Identifier: Apache-2.0
// What the sources of a mutated compiler call, in place of the expressions that a mutant changes. One mutant
// is active, or none; it comes from KC_MUTANT when the program starts.
#pragma once

#include <compare>
#include <utility>

namespace kc::mutants {

enum Seen : unsigned char { Reached = 1, Differs = 2 };

/// Number of the active mutant; 0 is none.
extern const unsigned active;
/// A byte for each mutant: whether the program came to it, and whether the changed expression had another
/// value. The bytes are those of the file KC_MUTANTS_SEEN, where there is one, so processes share them.
extern unsigned char* const seen;

/// For changes whose other value is not computed: what is reached may differ.
inline bool on(unsigned id) {
  seen[id] |= Reached | Differs;
  return id == active;
}
inline bool on(unsigned id, bool differs) {
  seen[id] |= differs ? Reached | Differs : Reached;
  return id == active;
}

inline bool negated(unsigned id, bool value) { return on(id) != value; }
template <class T>
T next(unsigned id, T value) {
  return on(id) ? static_cast<T>(value + 1) : value;
}
template <class T>
T other(unsigned id, T was, T now) {
  return on(id) ? now : was;
}

// One row for each operator and what may take its place.
#define KC_MUTANT(name, was, now)                    \
  template <class A, class B>                        \
  auto name(unsigned id, const A& a, const B& b) {   \
    auto before = a was b;                           \
    auto after = a now b;                            \
    return on(id, before != after) ? after : before; \
  }
KC_MUTANT(lt_le, <, <=)
KC_MUTANT(le_lt, <=, <)
KC_MUTANT(gt_ge, >, >=)
KC_MUTANT(ge_gt, >=, >)
KC_MUTANT(lt_ge, <, >=)
KC_MUTANT(le_gt, <=, >)
KC_MUTANT(gt_le, >, <=)
KC_MUTANT(ge_lt, >=, <)
KC_MUTANT(eq_ne, ==, !=)
KC_MUTANT(ne_eq, !=, ==)
KC_MUTANT(add_sub, +, -)
KC_MUTANT(sub_add, -, +)
KC_MUTANT(and_or, &, |)
KC_MUTANT(or_and, |, &)
KC_MUTANT(shl_shr, <<, >>)
KC_MUTANT(shr_shl, >>, <<)
#undef KC_MUTANT
/// There is no sum of pointers: their distance is off by one.
template <class T>
auto sub_add(unsigned id, T* const& a, T* const& b) {
  return on(id) ? a - b + 1 : a - b;
}

// && and ||: the right operand is a function, which is called no more often than the operand is evaluated,
// except where the mutant is active.
template <class F>
bool all_any(unsigned id, bool a, const F& b) {
  return on(id) ? a || b() : a && b();
}
template <class F>
bool any_all(unsigned id, bool a, const F& b) {
  return on(id) ? a && b() : a || b();
}
template <class F>
bool all_left(unsigned id, bool a, const F& b) {
  const bool before = a && b();
  return on(id, a != before) ? a : before;
}
template <class F>
bool any_left(unsigned id, bool a, const F& b) {
  const bool before = a || b();
  return on(id, a != before) ? a : before;
}
template <class F>
bool all_right(unsigned id, bool a, const F& b) {
  return on(id, !a) ? b() : a && b();
}
template <class F>
bool any_right(unsigned id, bool a, const F& b) {
  return on(id, a) ? b() : a || b();
}

}  // namespace kc::mutants
