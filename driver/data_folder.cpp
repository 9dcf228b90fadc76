// SPDX-License-Identifier: Apache-2.0
#include "driver/data_folder.h"

namespace kc {

std::filesystem::path data_folder(std::string_view name, std::string_view file) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path here = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (const fs::path& folder : {here / name, here.parent_path() / "share" / "kernelc" / name})
    if (fs::is_regular_file(folder / file, error)) return folder;
  return {};
}

}  // namespace kc
