// SPDX-License-Identifier: Apache-2.0
// end_in_trial LAUNCHES: launches a kernel whose other forms take long to compile, and ends without releasing
// anything, perhaps while a thread compiles them.
#include <CL/cl.h>

#include <cstdio>
#include <cstdlib>

static const char* const kSource = R"(
kernel void k(global float* out, int n) {
  float x = get_global_id(0) * 1e-3f, y = 0;
  for (int i = 0; i < n; ++i) {
    if (x > 0.5f) {
      y += sin(x) * cos(y) + pow(x, y) + tgamma(x) + erf(y);
      y = fmod(y, 3.0f);
    } else if (y > 1) {
      y = log(y) * exp(x) + asin(x) + atan2(x, y);
    }
    x = y * 0.3f + i % 7;
  }
  out[get_global_id(0)] = y;
}
)";

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const int launches = std::atoi(argv[1]);
  cl_platform_id platform;
  cl_device_id device;
  cl_int error = clGetPlatformIDs(1, &platform, nullptr);
  if (!error) error = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr);
  if (error) return 1;
  cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, nullptr, &error);
  const char* source = kSource;
  cl_program program = clCreateProgramWithSource(context, 1, &source, nullptr, &error);
  if (clBuildProgram(program, 1, &device, "", nullptr, nullptr)) return 1;
  cl_kernel kernel = clCreateKernel(program, "k", &error);
  const size_t items = 1024, group = 64;
  cl_mem buffer = clCreateBuffer(context, 0, items * sizeof(float), nullptr, &error);
  const cl_int rounds = launches == 1 ? 1 : 2000;
  error |= clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
  error |= clSetKernelArg(kernel, 1, sizeof rounds, &rounds);
  for (int k = 0; k < launches && !error; ++k) {
    error = clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, &group, 0, nullptr, nullptr);
    if (!error) error = clFinish(queue);
  }
  std::puts(error ? "failed" : "ended");
  return error != 0;
}
