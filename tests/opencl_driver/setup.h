// SPDX-License-Identifier: Apache-2.0
// What the tests of the OpenCL driver share: a context, queues, and programs with their kernels.
#pragma once
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS
#include <CL/cl.h>

#include <catch2/catch.hpp>
#include <string>
#include <vector>

struct Setup {
  cl_platform_id platform = nullptr;
  cl_device_id device = nullptr;
  cl_context context = nullptr;
  cl_command_queue queue = nullptr, unordered = nullptr;
  std::string heard;

  Setup() {
    REQUIRE(clGetPlatformIDs(1, &platform, nullptr) == CL_SUCCESS);
    REQUIRE(clGetDeviceIDs(platform, CL_DEVICE_TYPE_CPU, 1, &device, nullptr) == CL_SUCCESS);
    auto hear = [](const char* text, const void*, size_t, void* user) {
      static_cast<Setup*>(user)->heard = text;
    };
    cl_int e;
    context = clCreateContext(nullptr, 1, &device, hear, this, &e);
    REQUIRE(e == CL_SUCCESS);
    queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &e);
    REQUIRE(e == CL_SUCCESS);
    unordered = clCreateCommandQueue(context, device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &e);
    REQUIRE(e == CL_SUCCESS);
  }
  ~Setup() {
    clReleaseCommandQueue(queue);
    clReleaseCommandQueue(unordered);
    clReleaseContext(context);
  }
  cl_program build(const char* text, const char* options = "", cl_int expected = CL_SUCCESS) {
    cl_int e;
    cl_program p = clCreateProgramWithSource(context, 1, &text, nullptr, &e);
    REQUIRE(e == CL_SUCCESS);
    REQUIRE(clBuildProgram(p, 0, nullptr, options, nullptr, nullptr) == expected);
    return p;
  }
  cl_kernel kernel(const char* text, const char* name) {
    cl_program p = build(text);
    cl_int e;
    cl_kernel k = clCreateKernel(p, name, &e);
    REQUIRE(e == CL_SUCCESS);
    clReleaseProgram(p);  // the kernel keeps it
    return k;
  }
  cl_mem buffer(size_t bytes) {
    cl_int e;
    cl_mem m = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, nullptr, &e);
    REQUIRE(e == CL_SUCCESS);
    const char zero = 0;
    REQUIRE(clEnqueueFillBuffer(queue, m, &zero, 1, 0, bytes, 0, nullptr, nullptr) == CL_SUCCESS);
    REQUIRE(clFinish(queue) == CL_SUCCESS);
    return m;
  }
  std::vector<int> read(cl_mem m, size_t n) {
    std::vector<int> out(n);
    REQUIRE(clEnqueueReadBuffer(queue, m, CL_TRUE, 0, n * 4, out.data(), 0, nullptr, nullptr) == CL_SUCCESS);
    return out;
  }
};

inline cl_int status_of(cl_event e) {
  cl_int status = 1;
  clGetEventInfo(e, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
  return status;
}

inline constexpr const char* kAdd = "kernel void add(global int* a, int n) { a[get_global_id(0)] += n; }";
