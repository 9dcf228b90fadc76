// SPDX-License-Identifier: Apache-2.0
#include "frontend/places.h"

namespace kc::front {

Loc Places::of(Position p) {
  if (p < line_.begin || p >= line_.end) {
    const Sources::Place place = sources_.place(p);
    line_ = sources_.line_around(p);
    line_begin_ = {place.at.line, place.at.column - (p - line_.begin), number(place.file)};
  }
  return {line_begin_.line, line_begin_.column + (p - line_.begin), line_begin_.file};
}

uint32_t Places::number(std::string_view file) {
  if (file.data() == last_file_.data() && file.size() == last_file_.size()) return last_number_;
  last_file_ = file;
  if (file == sources_.main_name()) return last_number_ = 0;
  auto [known, fresh] = numbers_.emplace(file, files_.size() + 1);
  if (fresh) files_.emplace_back(file);
  return last_number_ = known->second;
}

}  // namespace kc::front
