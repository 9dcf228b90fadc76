// SPDX-License-Identifier: Apache-2.0
// Properties of each value that the phases of register allocation share: class, size, alignment.
#pragma once

#include <vector>

#include "backends/regalloc/regalloc.h"
#include "backends/regalloc/units.h"

namespace kc::regalloc {

inline constexpr uint8_t kNoClass = 255;

struct Shape {
  // index in RegTarget::classes; kNoClass for immediates and elements without a class
  uint8_t cls = kNoClass;
  uint8_t size = 1;  // units
  uint8_t align = 1;
};

inline Shape shape_of(const RegTarget& target, Type type) {
  for (size_t c = 0; c < target.classes.size(); ++c)
    if (target.classes[c].elem == type.elem)
      return {static_cast<uint8_t>(c), type.regs, static_cast<uint8_t>(target.tuple_alignment(type))};
  return {};
}

inline std::vector<Shape> shapes_of(const Function& f, const RegTarget& target) {
  std::vector<Shape> shapes(f.value_count());
  for (uint32_t v = 0; v < shapes.size(); ++v)
    if (!f.is_inline(ValueId(v))) shapes[v] = shape_of(target, f.type(ValueId(v)));
  return shapes;
}

}  // namespace kc::regalloc
