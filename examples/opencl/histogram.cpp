// SPDX-License-Identifier: Apache-2.0
// A host in C++ for any OpenCL device: each group counts in local memory and adds to the whole.
#define CL_HPP_ENABLE_EXCEPTIONS
#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#include <CL/opencl.hpp>
#include <cstdio>
#include <string>
#include <vector>

static const char* const kSource = R"(
kernel void histogram(global const uchar* data, global uint* bins, local uint* mine) {
  size_t l = get_local_id(0);
  mine[l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_inc(&mine[data[get_global_id(0)]]);
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&bins[l], mine[l]);
}
)";

int main() try {
  constexpr size_t kBins = 256, kItems = 1 << 20;
  std::vector<cl_uchar> data(kItems);
  for (size_t i = 0; i < kItems; ++i) data[i] = static_cast<cl_uchar>(i * i >> 7);
  std::vector<cl_uint> bins(kBins), expected(kBins);
  for (cl_uchar d : data) ++expected[d];

  const cl::Device device = cl::Device::getDefault();
  const cl::Context context(device);
  cl::CommandQueue queue(context, device);
  cl::Program program(context, std::string(kSource));
  try {
    program.build();
  } catch (const cl::BuildError& e) {
    for (const auto& [on, log] : e.getBuildLog()) std::fprintf(stderr, "%s", log.c_str());
    return 1;
  }
  cl::KernelFunctor<cl::Buffer, cl::Buffer, cl::LocalSpaceArg> histogram(program, "histogram");
  const cl::Buffer in(context, data.begin(), data.end(), true);
  const cl::Buffer out(context, bins.begin(), bins.end(), false);
  histogram(cl::EnqueueArgs(queue, cl::NDRange(kItems), cl::NDRange(kBins)), in, out,
            cl::Local(kBins * sizeof(cl_uint)));
  cl::copy(queue, out, bins.begin(), bins.end());
  const bool right = bins == expected;
  std::printf("%s: %s\n", device.getInfo<CL_DEVICE_NAME>().c_str(), right ? "right" : "wrong");
  return right ? 0 : 1;
} catch (const cl::Error& e) {
  std::fprintf(stderr, "%s: error %d\n", e.what(), e.err());
  return 1;
}
