// SPDX-License-Identifier: Apache-2.0
// The statements of random programs.
#pragma once

#include <functional>
#include <set>

#include "fuzz/random_expressions.h"

namespace kc::fuzz {

// A region that jumps do not enter from outside: it contains declarations, or is the body of a try or a
// handler.
struct ClosedRegion {
  std::vector<std::string> labels{};   // placed: jumps to them go backwards
  std::vector<std::string> pending{};  // not yet placed
};

struct SwitchRegion {
  size_t closed = 0;  // number of closed regions around its labels
  bool wide = false;  // far apart
  std::set<int> used{};
};

// Elements of a work-item that are beside those of its neighbours.
struct ElementRun {
  std::string name, first;  // the buffer, and the index of the first element
  Number number = Number::Uchar;
  uint32_t stride = 1;
  bool has_rows = false;
};

// An array in local memory that all work-items of a group change with one atomic operation.
struct SharedCounters {
  std::string name;
  Number number = Number::Int;
  uint32_t size = 1, operation = 0;
};

class StatementWriter : protected ExpressionWriter {
 protected:
  using ExpressionWriter::ExpressionWriter;
  virtual ~StatementWriter() = default;

  void line(const std::string& text);
  void open(const std::string& text) { line(text + " {"), ++indent_; }
  void close(const std::string& text = "") { --indent_, line("}" + text); }
  // Writes fuel, counters and variables of a function, then its statements.
  void body(uint32_t variables, uint32_t statements, bool guarded = false);
  // Statements of the body itself.
  virtual void top_level(uint32_t statements);
  void end_closed();
  static std::string observed(const SourcePlace& p);
  void declare();
  void statement(uint32_t depth);
  void nested(uint32_t depth, uint32_t most = 3);
  void place_label();
  void case_label();
  void assign();
  void assign_vector();
  void store_vector();
  void accumulate();
  void increment();
  void copy();
  void call();
  void store();
  // An atomic operation; each cell has a single kind of operation, so the order is irrelevant.
  void tally();
  void count_shared();
  void jump();
  void leave();
  // A thrown value: a struct half of the time, else one of a few types, so that handlers match.
  std::string thrown();
  void repoint();
  // Pointers in arrays and structs, to pointers and to array rows, all into one array.
  void pointers();
  void pointer_statement(const std::string& t, const std::string& e, const std::string& four,
                         const std::string& two, const std::string& three);
  // A block that jumps may enter.
  void open_body(uint32_t depth) { nested(depth); }
  void closed_body(uint32_t depth, bool declarations);
  void any_body(uint32_t depth);
  void like(const Random& first, const std::function<void()>& write);
  void block(uint32_t depth);
  void branch(uint32_t depth);
  void loop(uint32_t depth);
  void choose(uint32_t depth);
  void choose_alike(uint32_t depth);
  // A state machine over the input. States start alike, are labels or cases, and have arbitrary successors.
  void machine(uint32_t depth);
  void machine_state(const std::string& name, uint32_t states, uint32_t self, uint32_t depth);
  void attempt(uint32_t depth);
  void handle(uint32_t depth, const SourceVariable& e);

  // random_images.cpp. Whether a statement was written.
  bool image_statement();
  void declare_image_places();
  void declare_local_images(bool is_shared);
  void limit();
  std::string open_interleaved();
  void interleaved();
  void store_element(const std::string& to, size_t first);
  void byte_array();
  void count();

  std::string out_;
  SourceHelper function_;
  std::vector<ClosedRegion> closed_;
  std::vector<SwitchRegion> switches_;
  size_t wall_ = 0;  // jumps do not leave the closed regions from this index on
  uint32_t size_ = 0, depth_ = 2, indent_ = 0, names_ = 0, loops_ = 0;
  bool traps_ = false, in_kernel_ = false, breakable_ = false, handler_ = false;
  bool tangled_ = false;  // jumps everywhere
  bool stays_ = false;    // no `return` here
  bool throws_ = true;    // neither helpers nor the kernel, otherwise
  bool atomics_ = false, local_atomics_ = false;
  std::vector<SharedCounters> counters_;
  uint32_t group_ = 64;     // most work-items of a group
  std::string strip_;       // index of the elements in local memory that may be read here
  bool own_strip_ = false;  // they may be written
  bool inside_image_ = false;
  uint32_t bins_ = 0;  // of the histogram
};

}  // namespace kc::fuzz
