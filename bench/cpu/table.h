// SPDX-License-Identifier: Apache-2.0
// The table of a suite: what is launched, on which data, at which of two sizes.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <vector>

namespace kc::bench {

/// One kernel of a suite. Sizes are filled in; `@NAME(...)` in an argument is the path of a file.
struct Row {
  std::string name, about;
  std::string cl, ispc;                // paths; `ispc` may be of no file
  std::vector<std::string> launch;     // --global, --local and other options of the command
  std::vector<std::string> arguments;  // NAME=VALUE, as --arg takes them
  std::vector<std::string> outputs;    // the buffers to compare
  uint64_t ulp = 0;                    // how far a peer's floats may be from ours
  double near = 0;                     // and how far from ours in absolute terms
  uint64_t stray = 0;                  // how many elements of a peer's buffer may be anything
  std::string no_opencl, no_ispc, no_serial, no_expert;  // why there is no such peer
};

enum class Size : uint8_t { Full, Small };

/// Reads FOLDER/suite.txt. Files of generated data are written to `data`.
std::expected<std::vector<Row>, std::string> read_table(const std::string& folder, const std::string& data,
                                                        Size size);

}  // namespace kc::bench
