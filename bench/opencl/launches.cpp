// SPDX-License-Identifier: Apache-2.0
// bench_opencl [ROUNDS]: what a launch through the first OpenCL platform costs. OCL_ICD_VENDORS chooses the
// driver. Each line is the minimum of the rounds.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

namespace {

constexpr const char* kSource = R"(
kernel void add(global int* a, int n) { a[get_global_id(0)] += n; }
)";
constexpr int kLaunches = 1000;

void require(cl_int e) {
  if (!e) return;
  std::fprintf(stderr, "OpenCL error %d\n", e);
  std::exit(1);
}

template <typename Body>
double microseconds(int rounds, int count, Body&& body) {
  double best = 1e30;
  for (int i = 0; i < rounds; ++i) {
    const auto start = std::chrono::steady_clock::now();
    body();
    best = std::min(
        best, std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count());
  }
  return best / count;
}

}  // namespace

int main(int argc, char** words) {
  const int rounds = argc > 1 ? std::atoi(words[1]) : 30;
  cl_int e;
  cl_platform_id platform;
  cl_device_id device;
  require(clGetPlatformIDs(1, &platform, nullptr));
  require(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr));
  cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &e);
  require(e);
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &e);
  require(e);
  cl_command_queue unordered =
      clCreateCommandQueue(context, device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &e);
  require(e);
  const char* source = kSource;
  cl_program program = clCreateProgramWithSource(context, 1, &source, nullptr, &e);
  require(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr));
  cl_kernel kernel = clCreateKernel(program, "add", &e);
  require(e);
  cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, 1 << 20, nullptr, &e);
  const int n = 1;
  require(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
  require(clSetKernelArg(kernel, 1, sizeof n, &n));
  auto launch = [&](cl_command_queue q, size_t global) {
    require(clEnqueueNDRangeKernel(q, kernel, 1, nullptr, &global, nullptr, 0, nullptr, nullptr));
  };
  launch(queue, 64);
  launch(queue, 1 << 16);
  require(clFinish(queue));

  std::printf("us for each launch of 64 work-items, %d back to back: %.2f\n", kLaunches,
              microseconds(rounds, kLaunches, [&] {
                for (int i = 0; i < kLaunches; ++i) launch(queue, 64);
                clFinish(queue);
              }));
  std::printf("us for each launch of 64 work-items, each waited for: %.2f\n", microseconds(rounds, 100, [&] {
                for (int i = 0; i < 100; ++i) launch(queue, 64), clFinish(queue);
              }));
  std::printf("us for each write of 4 bytes that is waited for: %.2f\n", microseconds(rounds, 100, [&] {
                for (int i = 0; i < 100; ++i)
                  require(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, 4, &n, 0, nullptr, nullptr));
              }));
  // Functions of the host that only sleep: what does not wait for each other may overlap.
  cl_device_exec_capabilities capabilities = 0;
  clGetDeviceInfo(device, CL_DEVICE_EXECUTION_CAPABILITIES, sizeof capabilities, &capabilities, nullptr);
  if (capabilities & CL_EXEC_NATIVE_KERNEL)
    std::printf("us for 4 independent commands of 2000 us in an unordered queue: %.0f\n",
                microseconds(std::min(rounds, 5), 1, [&] {
                  auto sleep = [](void*) { std::this_thread::sleep_for(std::chrono::milliseconds(2)); };
                  for (int i = 0; i < 4; ++i)
                    require(clEnqueueNativeKernel(unordered, sleep, nullptr, 0, 0, nullptr, nullptr, 0,
                                                  nullptr, nullptr));
                  clFinish(unordered);
                }));
  clReleaseMemObject(buffer);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
  clReleaseCommandQueue(queue);
  clReleaseCommandQueue(unordered);
  clReleaseContext(context);
}
