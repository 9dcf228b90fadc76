// SPDX-License-Identifier: Apache-2.0
// A program for any OpenCL device. It knows nothing of kernelc.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>

static const char* source =
    "kernel void saxpy(global const float* x, global float* y, float a) {\n"
    "    size_t i = get_global_id(0);\n"
    "    y[i] = a * x[i] + y[i];\n"
    "}\n";

enum { N = 1000 };

int main(void) {
  static float x[N], y[N];
  for (int i = 0; i < N; ++i) x[i] = (float)i, y[i] = 1.0f;
  cl_platform_id platform;
  cl_device_id device;
  cl_int e = clGetPlatformIDs(1, &platform, NULL);
  if (!e) e = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
  if (e) return fprintf(stderr, "no device: %d\n", e), 1;
  char name[256];
  clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, NULL);
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &e);
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &e);
  cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &e);
  if (clBuildProgram(program, 1, &device, "", NULL, NULL)) {
    static char log[1 << 16];
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
    return fprintf(stderr, "%s", log), 1;
  }
  cl_kernel kernel = clCreateKernel(program, "saxpy", &e);
  cl_mem bx = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof x, x, &e);
  cl_mem by = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof y, y, &e);
  const float a = 2.0f;
  const size_t global = N;
  clSetKernelArg(kernel, 0, sizeof bx, &bx);
  clSetKernelArg(kernel, 1, sizeof by, &by);
  clSetKernelArg(kernel, 2, sizeof a, &a);
  e = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL);
  if (!e) e = clEnqueueReadBuffer(queue, by, CL_TRUE, 0, sizeof y, y, 0, NULL, NULL);
  if (e) return fprintf(stderr, "error %d\n", e), 1;
  printf("%s: y[10] = %g\n", name, (double)y[10]);
  clReleaseMemObject(bx);
  clReleaseMemObject(by);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  return y[10] == 21.0f ? 0 : 1;
}
