// SPDX-License-Identifier: Apache-2.0
// As much of OpenCL as one benchmark needs, opened at run time: without an implementation there is no peer.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <vector>

namespace kc::bench {

struct PeerJob {
  std::string source;   // OpenCL C
  std::string kernel;   // name in it
  std::string options;  // of the compiler
  size_t global[2] = {}, local[2] = {};
  std::vector<std::vector<uint8_t>> scalars;  // arguments behind the buffer, which is the first
  size_t out_bytes = 0;
  unsigned repeat = 1;
};

struct PeerResult {
  std::string platform, device;
  double compile_ms = 0;  // building, and what the first launch took beyond the median
  std::vector<double> launch_ms;
  std::vector<uint8_t> out;
};

/// A sentence says why there is no result.
std::expected<PeerResult, std::string> run_opencl(const PeerJob& job);

}  // namespace kc::bench
