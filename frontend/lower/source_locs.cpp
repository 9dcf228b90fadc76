// SPDX-License-Identifier: Apache-2.0
#include "frontend/lower/source_locs.h"

namespace kc::front {

void SourceLocs::read_line(Position p, Line& line) {
  const Sources::Place place = sources_.place(p);
  line.stretch = sources_.stretch_around(p);
  line.begin = {place.at.line, place.at.column - line.stretch.columns_before(p), number(place.file)};
}

uint32_t SourceLocs::number(std::string_view file) {
  if (file.data() == last_file_.data() && file.size() == last_file_.size()) return last_number_;
  last_file_ = file;
  if (file == sources_.main_name()) return last_number_ = 0;
  auto [known, fresh] = numbers_.emplace(file, files_.size() + 1);
  if (fresh) files_.emplace_back(file);
  return last_number_ = known->second;
}

}  // namespace kc::front
