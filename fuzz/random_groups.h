// SPDX-License-Identifier: Apache-2.0
// Programs whose work-items share local memory and wait at barriers.
//
// All work-items of a group execute the same barriers: between two of them control flow may diverge, and
// around them it depends on what the whole group agrees on. In such an interval, each array in local memory
// is written in one way: every work-item has one element of its own, or all read, or all apply one atomic
// operation to any element.
#pragma once

#include "fuzz/random_statements.h"

namespace kc::fuzz {

/// The sizes of a launch, in work-items.
struct LaunchSizes {
  uint32_t global_x = 1, global_y = 1, x = 1, y = 1;
  uint32_t items() const { return global_x * global_y; }
  uint32_t group() const { return x * y; }
};

/// An array in local memory with an element for each work-item of the group.
struct SharedArray {
  std::string name;
  SourceType type{};
  bool exchanged = false;  // in the interval before, work-items wrote it
};

class GroupWriter : protected StatementWriter {
 protected:
  using StatementWriter::StatementWriter;

  // Draws the arrays; a function that waits at barriers is written here.
  void choose_arrays();
  void declare_arrays();
  // All of the kernel that has barriers, which begins and ends with one.
  void exchanges(uint32_t statements);
  void observe(const SourceVariable& v);
  SourceVariable strip_element(bool own);

  LaunchSizes sizes_;

 private:
  SourceType element();
  uint32_t most_bytes(const SourceType& type) const;
  void turning_function();
  void barrier();
  void end_some();
  // A statement that all work-items of the group execute. It begins and ends with a barrier.
  void uniform(uint32_t depth, uint32_t statements);
  void sequence(uint32_t depth, uint32_t statements);
  void rounds(uint32_t depth, uint32_t statements);
  void again(uint32_t depth, uint32_t statements);
  void arms(uint32_t depth, uint32_t statements);
  void cases(uint32_t depth, uint32_t statements);
  void interval(uint32_t statements);
  void segment(uint32_t statements, const std::vector<SourceVariable>& places);
  void reduce_tree();
  void scan();
  void take_turns(uint32_t statements);
  void agree();
  void observe_arrays();
  void call_turn();
  const SharedArray* scalar_array();
  std::string owned();    // a permutation of the group: the index of a work-item's own element
  std::string another();  // any index
  std::string bound();
  std::string agreed();

  std::vector<SharedArray> arrays_;
  std::vector<std::string> agreed_, bounds_;  // conditions and small numbers, the same for the whole group
  Number turns_ = Number::Int;
  bool takes_turns_ = false;
  bool wide_atomics_ = false;  // in local memory of 64 bits; Vulkan has no atomics of both sizes there
  const SharedArray* turned_ = nullptr;  // by the function with barriers, if there is one
  uint32_t waits_ = 0;                   // barriers that may still be written
};

}  // namespace kc::fuzz
