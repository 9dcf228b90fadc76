// SPDX-License-Identifier: Apache-2.0
// The makers of all engines, one file each.
#pragma once

#include "driver/engines/engines.h"

namespace kc {

std::unique_ptr<Engine> make_thread_engine(const EngineOptions& options);
std::unique_ptr<Engine> make_passes_engine(const EngineOptions& options);
std::unique_ptr<Engine> make_wave_engine(const EngineOptions& options);
std::unique_ptr<Engine> make_simulator_engine(const EngineOptions& options);
std::unique_ptr<Engine> make_ipdom_engine(const EngineOptions& options);
std::unique_ptr<Engine> make_tf_stack_engine(const EngineOptions& options);
std::unique_ptr<Engine> make_tf_sandy_engine(const EngineOptions& options);
/// The rows of all engines above.
std::vector<EngineInfo> interpreter_engines();
std::unique_ptr<Engine> make_avx2_engine(const EngineOptions& options);
std::unique_ptr<Engine> make_avx512_engine(const EngineOptions& options);
std::unique_ptr<Engine> make_cpu_engine(const EngineOptions& options);
std::unique_ptr<Engine> make_hip_engine(const EngineOptions& options);
/// One for each machine that is emulated.
std::vector<EngineInfo> gcn_engines();
std::unique_ptr<Engine> make_vulkan_engine(const EngineOptions& options);
std::unique_ptr<Engine> make_opencl_engine(const EngineOptions& options);

}  // namespace kc
