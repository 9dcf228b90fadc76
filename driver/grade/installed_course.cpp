// SPDX-License-Identifier: Apache-2.0
#include "driver/grade/installed_course.h"

#include "driver/data_folder.h"

namespace kc {

LabFile with_installed_course(LabFile lab) {
  namespace fs = std::filesystem;
  if (lab.course.empty()) return lab;
  const fs::path course = data_folder("course", lab.course + "/lab.toml");
  if (course.empty()) return lab;
  std::error_code error;
  auto installed = [&](const std::string& path) { return (course / lab.course / path).lexically_normal(); };
  auto find = [&](std::string& path) {
    if (!path.empty() && !fs::exists(lab.place_of(path), error) && fs::exists(installed(path), error))
      path = installed(path).string();
  };
  find(lab.reference);
  for (LabTest& test : lab.tests) find(test.program);
  for (LabQuality& quality : lab.quality) find(quality.program), find(quality.baseline);
  // A folder of this name may be there by chance, and hold something else: both are searched.
  for (std::vector<std::string>* folders : {&lab.python_path, &lab.javascript_path})
    if (!folders->empty() && fs::exists(installed(folders->front()), error))
      folders->push_back(installed(folders->front()).string());
  return lab;
}

}  // namespace kc
