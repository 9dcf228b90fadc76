// SPDX-License-Identifier: Apache-2.0
// Local memory as work-group variables. An object, or the target of a local parameter, has its own variable
// if all pointers to it are known: an array of the element type of its accesses. All others share one array,
// laid out as the launch specifies.
//
// Pointers are offsets as everywhere else; an own variable also begins at kFirstOffset. Lengths that depend
// on the launch are specialisation constants.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "backends/spirv/workgroup_memory_roots.h"

namespace kc::spirv {

class LocalMemory {
 public:
  /// `value` returns the ids of values that are already emitted.
  LocalMemory(const Function& function, Code& code, std::function<Word(ValueId)> value);

  /// Declares the variables. Properties that depend on the launch are recorded in the image.
  void declare(VulkanImage& image);
  const Words& interface() const { return interface_; }
  /// A constant pointer: the offset of its object.
  Word constant(uint64_t bits);
  /// A local parameter, if it does not depend on the launch.
  std::optional<Word> parameter(size_t index);

  /// Accesses; an `align` of 0 means the element's size.
  Word load(Elem e, ValueId pointer, unsigned align);
  void store(Elem e, ValueId pointer, Word data, unsigned align);
  /// A pointer to the element of an atomic operation.
  Word element(Elem e, ValueId pointer);

  /// Whether one variable has atomic operations of two widths, for which no element type exists.
  bool mixes_atomics() const;

 private:
  struct Variable {
    uint32_t sizes = 0, atomic_sizes = 0;  // bit set of access sizes: 1, 2, 4, 8
    Elem type = Elem::Void;                // type of all accesses, if they agree
    bool one_type = true;
    Elem elem = Elem::I32;  // declared element type
    unsigned unit = 4;      // size of the element in bytes
    Word id = 0;
  };
  /// The start of an access.
  struct Place {
    const Variable* variable = nullptr;
    Word pointer = 0;           // its value
    std::optional<Word> index;  // of the element, if the pointer is computed from whole elements
  };

  Variable& variable_of(ValueId pointer);
  void survey(const Inst& inst);
  void note(ValueId pointer, Elem e, unsigned align, bool atomic);
  void declare_variable(Variable& v, Word length, std::string_view name);
  Word length_constant(VulkanImage& image, int param, unsigned unit);

  Place place(ValueId pointer);
  std::optional<Word> whole_index(unsigned unit, ValueId pointer, int depth);
  std::optional<Word> start_index(ValueId pointer) const;
  Word element_pointer(const Place& at, unsigned further);
  Word offset_of(const Place& at, unsigned further);
  Word load_bits(unsigned bytes, unsigned piece, const Place& at, unsigned further);
  void store_bits(unsigned bytes, unsigned piece, const Place& at, unsigned further, Word data);
  Word load_part(Elem part, const Place& at, unsigned further);
  void store_part(Elem part, const Place& at, unsigned further, Word data);

  const Function& f;
  Code& c;
  std::function<Word(ValueId)> value_;
  LocalRoots roots_;
  std::vector<Variable> variables_;  // by root; the last one is shared
  Words interface_;
};

}  // namespace kc::spirv
