// SPDX-License-Identifier: Apache-2.0
// A folder for the files of one test.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <string>

/// Does not exist at first, and is removed at the end with its contents. `name` tells the folders of a
/// process apart.
struct TemporaryFolder {
  explicit TemporaryFolder(const std::string& name)
      : path(std::filesystem::temp_directory_path() /
             ("kernelc_" + name + "_" + std::to_string(::getpid()))) {
    std::filesystem::remove_all(path);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() { std::filesystem::remove_all(path); }

  std::filesystem::path path;
};
