// SPDX-License-Identifier: Apache-2.0
// The tables and figures of the papers, for our kernels; what the papers print stands beside it.
#pragma once

#include <fmt/format.h>

#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "papers/launches.h"

namespace kc::bench {

struct Picture {
  std::string name, svg;
};
struct Report {
  std::string name, text;
  std::vector<Picture> pictures;
  std::vector<std::string> problems;  // runs that did not do what the interpreter does

  /// More text.
  template <typename... Args>
  void put(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text), format, std::forward<Args>(args)...);
  }
};

/// Tables 1 to 4 of J. Anantpur and R. Govindarajan, "Taming Control Divergence in GPUs through Control Flow
/// Linearization", 2014.
Report report_linearization(const std::vector<PaperKernel>& kernels);

/// Figures 6 and 8 and Table I of N. Reissmann and others, "Efficient Control Flow Restructuring for GPUs",
/// 2016. Table I and Figure 8 take all kernels of the repository below `root`.
Report report_restructuring(const std::vector<PaperKernel>& kernels, const std::string& root);

/// Figures 5 to 8 of G. Diamos and others, "SIMD Re-Convergence At Thread Frontiers", 2011.
Report report_frontiers(const std::vector<PaperKernel>& kernels);

/// The orders of the poster "Reconverging control flow graphs" (Universität Mainz and AMD).
Report report_orders(const std::vector<PaperKernel>& kernels);

}  // namespace kc::bench
