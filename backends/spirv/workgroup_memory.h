// SPDX-License-Identifier: Apache-2.0
// Local memory as variables of the work-group. An object, or what a local parameter points to, has a variable
// of its own where every pointer to it is known to be one: an array of what it is accessed as. All others
// share one array and lie in it as the launch says.
//
// Pointers are offsets as everywhere else; a variable of its own begins at kFirstOffset, too. Lengths that
// the launch decides are specialisation constants.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "backends/spirv/workgroup_memory_roots.h"

namespace kc::spirv {

class LocalMemory {
 public:
  /// `value` gives the ids of values that are emitted already.
  LocalMemory(const Function& function, Code& code, std::function<Word(ValueId)> value);

  /// Declares the variables. What the launch decides about them is noted in the image.
  void declare(VulkanImage& image);
  const Words& interface() const { return interface_; }
  /// A constant pointer, where its object lies.
  Word constant(uint64_t bits);
  /// A local parameter, if the launch has no say in it.
  std::optional<Word> parameter(size_t index);

  /// Accesses; `align` of 0 is the element's size.
  Word load(Elem e, ValueId pointer, unsigned align);
  void store(Elem e, ValueId pointer, Word data, unsigned align);
  /// A pointer to the element that an atomic operation works on.
  Word element(Elem e, ValueId pointer);

  /// Whether atomic operations of two widths meet in one variable, for which there is no type.
  bool mixes_atomics() const;

 private:
  struct Variable {
    uint32_t sizes = 0, atomic_sizes = 0;  // of the accesses, added up: 1, 2, 4, 8
    Elem type = Elem::Void;                // of all accesses, if they agree
    bool one_type = true;
    Elem elem = Elem::I32;  // as declared
    unsigned unit = 4;      // its bytes
    Word id = 0;
  };
  /// Where an access begins.
  struct Place {
    const Variable* variable = nullptr;
    Word pointer = 0;           // its value
    std::optional<Word> index;  // of the element, when the pointer is made of whole ones
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
