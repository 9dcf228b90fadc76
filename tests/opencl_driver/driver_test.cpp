// SPDX-License-Identifier: Apache-2.0
// The OpenCL driver through the loader.
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "tests/opencl_driver/setup.h"

TEST_CASE("platform and device are found and describe themselves") {
  Setup s;
  char name[64];
  REQUIRE(clGetPlatformInfo(s.platform, CL_PLATFORM_NAME, sizeof name, name, nullptr) == CL_SUCCESS);
  CHECK(std::string(name) == "kernelc");
  CHECK(clGetPlatformInfo(s.platform, CL_PLATFORM_NAME, 1, name, nullptr) == CL_INVALID_VALUE);
  CHECK(clGetDeviceInfo(s.device, 0, sizeof name, name, nullptr) == CL_INVALID_VALUE);
  cl_device_id none;
  CHECK(clGetDeviceIDs(s.platform, CL_DEVICE_TYPE_GPU, 1, &none, nullptr) == CL_DEVICE_NOT_FOUND);
  cl_bool images = CL_TRUE;
  REQUIRE(clGetDeviceInfo(s.device, CL_DEVICE_IMAGE_SUPPORT, sizeof images, &images, nullptr) == CL_SUCCESS);
  cl_bool collective = CL_FALSE;
  REQUIRE(clGetDeviceInfo(s.device, CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT, sizeof collective,
                          &collective, nullptr) == CL_SUCCESS);
  CHECK(collective == CL_TRUE);
  CHECK_FALSE(images);
  cl_int e;
  cl_image_format format{CL_RGBA, CL_UNORM_INT8};
  cl_image_desc desc{};
  CHECK_FALSE(clCreateImage(s.context, CL_MEM_READ_WRITE, &format, &desc, nullptr, &e));
  CHECK(e == CL_INVALID_OPERATION);
  CHECK_FALSE(clSVMAlloc(s.context, CL_MEM_READ_WRITE, 64, 0));
}

TEST_CASE("a kernel runs, and its errors are those of the specification") {
  Setup s;
  cl_kernel k = s.kernel(kAdd, "add");
  cl_mem m = s.buffer(400);
  size_t global = 100, local = 7;
  CHECK(clEnqueueNDRangeKernel(s.queue, k, 1, nullptr, &global, nullptr, 0, nullptr, nullptr) ==
        CL_INVALID_KERNEL_ARGS);
  int n = -3;
  CHECK(clSetKernelArg(k, 2, sizeof n, &n) == CL_INVALID_ARG_INDEX);
  CHECK(clSetKernelArg(k, 1, 8, &n) == CL_INVALID_ARG_SIZE);
  CHECK(clSetKernelArg(k, 1, 4, nullptr) == CL_INVALID_ARG_VALUE);
  REQUIRE(clSetKernelArg(k, 0, sizeof m, &m) == CL_SUCCESS);
  REQUIRE(clSetKernelArg(k, 1, sizeof n, &n) == CL_SUCCESS);
  CHECK(clEnqueueNDRangeKernel(s.queue, k, 4, nullptr, &global, nullptr, 0, nullptr, nullptr) ==
        CL_INVALID_WORK_DIMENSION);
  CHECK(clEnqueueNDRangeKernel(s.queue, k, 1, nullptr, &global, &local, 0, nullptr, nullptr) ==
        CL_INVALID_WORK_GROUP_SIZE);
  cl_event event;
  REQUIRE(clEnqueueNDRangeKernel(s.queue, k, 1, nullptr, &global, nullptr, 0, nullptr, &event) == CL_SUCCESS);
  n = 50;  // the launch has its own copy
  REQUIRE(clSetKernelArg(k, 1, sizeof n, &n) == CL_SUCCESS);
  CHECK(s.read(m, 100) == std::vector<int>(100, -3));
  cl_ulong times[4];
  for (cl_uint i = 0; i < 4; ++i)
    REQUIRE(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_QUEUED + i, 8, &times[i], nullptr) ==
            CL_SUCCESS);
  CHECK(std::is_sorted(times, times + 4));
  CHECK(times[0] > 0);
  clReleaseEvent(event);
  clReleaseMemObject(m);
  clReleaseKernel(k);
}

TEST_CASE("builds fail with a log; binaries build again") {
  Setup s;
  cl_program bad = s.build("kernel void k(global int* a) { a[0] = b; }", "", CL_BUILD_PROGRAM_FAILURE);
  char log[1000] = "";
  REQUIRE(clGetProgramBuildInfo(bad, s.device, CL_PROGRAM_BUILD_LOG, sizeof log, log, nullptr) == CL_SUCCESS);
  CHECK(std::string(log).find("'b'") != std::string::npos);
  clReleaseProgram(bad);
  clReleaseProgram(s.build(kAdd, "-cl-unknown", CL_INVALID_BUILD_OPTIONS));
  clReleaseProgram(s.build(kAdd, "-D", CL_INVALID_BUILD_OPTIONS));
  cl_program p = s.build("kernel void k(global int* a) { a[0] = N; }", "-D N=\"7 + 1\" -cl-mad-enable");
  size_t size = 0;
  REQUIRE(clGetProgramInfo(p, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr) == CL_SUCCESS);
  std::vector<unsigned char> binary(size);
  unsigned char* to = binary.data();
  REQUIRE(clGetProgramInfo(p, CL_PROGRAM_BINARIES, sizeof to, &to, nullptr) == CL_SUCCESS);
  const unsigned char* from = to;
  cl_int e, status;
  cl_program again = clCreateProgramWithBinary(s.context, 1, &s.device, &size, &from, &status, &e);
  REQUIRE(e == CL_SUCCESS);
  REQUIRE(clBuildProgram(again, 0, nullptr, nullptr, nullptr, nullptr) == CL_SUCCESS);
  cl_kernel k = clCreateKernel(again, "k", &e);
  REQUIRE(e == CL_SUCCESS);
  CHECK(clBuildProgram(again, 0, nullptr, nullptr, nullptr, nullptr) == CL_INVALID_OPERATION);
  cl_mem m = s.buffer(4);
  clSetKernelArg(k, 0, sizeof m, &m);
  REQUIRE(clEnqueueTask(s.queue, k, 0, nullptr, nullptr) == CL_SUCCESS);
  CHECK(s.read(m, 1)[0] == 8);
  size_t few = 3;
  CHECK_FALSE(clCreateProgramWithBinary(s.context, 1, &s.device, &few, &from, &status, &e));
  CHECK(e == CL_INVALID_BINARY);
  clReleaseMemObject(m);
  clReleaseKernel(k);
  clReleaseProgram(again);
  clReleaseProgram(p);
}

TEST_CASE("an unordered queue follows the graph, and errors go to those who wait") {
  Setup s;
  cl_mem m = s.buffer(8);
  cl_int e;
  cl_event gate = clCreateUserEvent(s.context, &e), held, free_one, marker;
  const int one = 1, two = 2;
  REQUIRE(clEnqueueWriteBuffer(s.unordered, m, CL_FALSE, 0, 4, &one, 1, &gate, &held) == CL_SUCCESS);
  REQUIRE(clEnqueueWriteBuffer(s.unordered, m, CL_FALSE, 4, 4, &two, 0, nullptr, &free_one) == CL_SUCCESS);
  REQUIRE(clEnqueueMarkerWithWaitList(s.unordered, 0, nullptr, &marker) == CL_SUCCESS);
  REQUIRE(clWaitForEvents(1, &free_one) == CL_SUCCESS);
  CHECK(status_of(held) == CL_QUEUED);
  CHECK(status_of(marker) == CL_QUEUED);
  std::atomic<int> calls = 0;
  auto count = [](cl_event, cl_int, void* user) { ++*static_cast<std::atomic<int>*>(user); };
  REQUIRE(clSetEventCallback(held, CL_COMPLETE, count, &calls) == CL_SUCCESS);
  REQUIRE(clSetUserEventStatus(gate, CL_COMPLETE) == CL_SUCCESS);
  CHECK(clSetUserEventStatus(gate, CL_COMPLETE) == CL_INVALID_OPERATION);
  REQUIRE(clWaitForEvents(1, &marker) == CL_SUCCESS);
  for (int i = 0; i < 20'000 && calls == 0; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  CHECK(calls == 1);
  CHECK(s.read(m, 2) == std::vector<int>{1, 2});
  cl_event broken = clCreateUserEvent(s.context, &e), after;
  REQUIRE(clEnqueueWriteBuffer(s.queue, m, CL_FALSE, 0, 4, &two, 1, &broken, &after) == CL_SUCCESS);
  REQUIRE(clSetUserEventStatus(broken, -77) == CL_SUCCESS);
  CHECK(clWaitForEvents(1, &after) == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  CHECK(s.read(m, 1)[0] == 1);
  for (cl_event x : {gate, held, free_one, marker, broken, after}) clReleaseEvent(x);
  clReleaseMemObject(m);
}

TEST_CASE("a trap is the error of its event") {
  Setup s;
  cl_kernel k = s.kernel("kernel void t(global int* a) { if (a[get_global_id(0)] == 0) throw 5; }", "t");
  cl_mem m = s.buffer(16);
  clSetKernelArg(k, 0, sizeof m, &m);
  size_t global = 4;
  cl_event event;
  REQUIRE(clEnqueueNDRangeKernel(s.queue, k, 1, nullptr, &global, nullptr, 0, nullptr, &event) == CL_SUCCESS);
  CHECK(clWaitForEvents(1, &event) == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  CHECK(status_of(event) < 0);
  CHECK(s.heard.find("uncaught throw") != std::string::npos);
  CHECK(s.read(m, 4) == std::vector<int>(4, 0));  // the queue goes on
  clReleaseEvent(event);
  clReleaseMemObject(m);
  clReleaseKernel(k);
}

TEST_CASE("parts of buffers, rectangles, fills and maps") {
  Setup s;
  cl_mem m = s.buffer(1024);
  cl_int e;
  cl_buffer_region region{256, 256};
  cl_mem part = clCreateSubBuffer(m, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &e);
  REQUIRE(e == CL_SUCCESS);
  cl_buffer_region odd{4, 256};
  CHECK_FALSE(clCreateSubBuffer(m, 0, CL_BUFFER_CREATE_TYPE_REGION, &odd, &e));
  CHECK(e == CL_MISALIGNED_SUB_BUFFER_OFFSET);
  const int nine = 9;
  REQUIRE(clEnqueueFillBuffer(s.queue, part, &nine, 4, 0, 8, 0, nullptr, nullptr) == CL_SUCCESS);
  CHECK(clEnqueueFillBuffer(s.queue, part, &nine, 3, 0, 9, 0, nullptr, nullptr) == CL_INVALID_VALUE);
  CHECK(clEnqueueCopyBuffer(s.queue, m, part, 256, 0, 4, 0, nullptr, nullptr) == CL_MEM_COPY_OVERLAP);
  auto all = s.read(m, 256);
  CHECK((all[64] == 9 && all[65] == 9 && all[66] == 0));
  const size_t from[3] = {0, 0, 0}, to[3] = {4, 1, 0}, size[3] = {4, 2, 1};
  const int column[2] = {5, 6};
  REQUIRE(clEnqueueWriteBufferRect(s.queue, m, CL_TRUE, to, from, size, 16, 0, 4, 0, column, 0, nullptr,
                                   nullptr) == CL_SUCCESS);
  auto* mapped = static_cast<int*>(
      clEnqueueMapBuffer(s.queue, m, CL_TRUE, CL_MAP_READ, 0, 1024, 0, nullptr, nullptr, &e));
  REQUIRE(e == CL_SUCCESS);
  CHECK((mapped[5] == 5 && mapped[9] == 6));
  CHECK(clEnqueueUnmapMemObject(s.queue, m, mapped + 1, 0, nullptr, nullptr) == CL_INVALID_VALUE);
  REQUIRE(clEnqueueUnmapMemObject(s.queue, m, mapped, 0, nullptr, nullptr) == CL_SUCCESS);
  CHECK(clEnqueueUnmapMemObject(s.queue, m, mapped, 0, nullptr, nullptr) == CL_INVALID_VALUE);
  clFinish(s.queue);
  cl_uint maps = 7;
  clGetMemObjectInfo(m, CL_MEM_MAP_COUNT, sizeof maps, &maps, nullptr);
  CHECK(maps == 0);
  clReleaseMemObject(m);  // the part keeps it
  CHECK(s.read(part, 1)[0] == 9);
  clReleaseMemObject(part);
}

TEST_CASE("fills write their pattern over every byte of their range, and no other") {
  Setup s;
  constexpr size_t kBytes = 3 * 4096 + 1024;
  for (size_t length = 1; length <= 128; length *= 2) {
    cl_mem m = s.buffer(kBytes);
    std::vector<char> pattern(length), got(kBytes);
    for (size_t i = 0; i < length; ++i) pattern[i] = static_cast<char>(i + 1);
    const size_t at = 3 * length;
    for (size_t size : {size_t{0}, length, 5 * length, size_t{4096} + length, kBytes - 8 * length}) {
      CAPTURE(length, size);
      REQUIRE(clEnqueueFillBuffer(s.queue, m, pattern.data(), length, at, size, 0, nullptr, nullptr) ==
              CL_SUCCESS);
      REQUIRE(clEnqueueReadBuffer(s.queue, m, CL_TRUE, 0, kBytes, got.data(), 0, nullptr, nullptr) ==
              CL_SUCCESS);
      size_t wrong = 0;
      for (size_t i = 0; i < kBytes; ++i)
        wrong += got[i] != (i < at || i >= at + size ? 0 : pattern[(i - at) % length]);
      CHECK(wrong == 0);
    }
    clReleaseMemObject(m);
  }
}

TEST_CASE("threads share a queue") {
  Setup s;
  cl_mem m = s.buffer(256);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      const char* text = kAdd;
      cl_int e;
      cl_program p = clCreateProgramWithSource(s.context, 1, &text, nullptr, &e);
      clBuildProgram(p, 0, nullptr, nullptr, nullptr, nullptr);
      cl_kernel k = clCreateKernel(p, "add", &e);
      const int one = 1;
      const size_t global = 64;
      clSetKernelArg(k, 0, sizeof m, &m);
      clSetKernelArg(k, 1, sizeof one, &one);
      for (int i = 0; i < 50; ++i)
        clEnqueueNDRangeKernel(s.queue, k, 1, nullptr, &global, nullptr, 0, nullptr, nullptr);
      clReleaseKernel(k);
      clReleaseProgram(p);
    });
  for (auto& t : threads) t.join();
  CHECK(s.read(m, 64) == std::vector<int>(64, 200));
  clReleaseMemObject(m);
}

namespace {

std::string argument_text(cl_kernel k, cl_uint index, cl_kernel_arg_info what) {
  size_t size = 0;
  REQUIRE(clGetKernelArgInfo(k, index, what, 0, nullptr, &size) == CL_SUCCESS);
  std::string text(size, '?');
  REQUIRE(clGetKernelArgInfo(k, index, what, size, text.data(), nullptr) == CL_SUCCESS);
  REQUIRE(text.back() == 0);
  text.pop_back();
  return text;
}
template <typename T>
T argument_word(cl_kernel k, cl_uint index, cl_kernel_arg_info what) {
  T word = 77;
  REQUIRE(clGetKernelArgInfo(k, index, what, sizeof word, &word, nullptr) == CL_SUCCESS);
  return word;
}

}  // namespace

TEST_CASE("kernels tell what their arguments are") {
  Setup s;
  const char* text = R"(
typedef global float* where;
typedef struct { int x; } pair_t;
struct tagged { float2 v; };
#define SPACE local
kernel void other(int q) {}
kernel void k(global const float4* restrict a, constant unsigned int* b, SPACE volatile short* c, const uchar d,
              where e, pair_t f, struct tagged g, global int h[], unsigned long i, global struct tagged* j,
              double3 l) {}
)";
  struct Row {
    const char *name, *type;
    cl_kernel_arg_address_qualifier space;
    cl_kernel_arg_type_qualifier qualifiers;
  };
  const Row rows[] = {
      {"a", "float4*", CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_TYPE_CONST | CL_KERNEL_ARG_TYPE_RESTRICT},
      {"b", "uint*", CL_KERNEL_ARG_ADDRESS_CONSTANT, CL_KERNEL_ARG_TYPE_CONST},
      {"c", "short*", CL_KERNEL_ARG_ADDRESS_LOCAL, CL_KERNEL_ARG_TYPE_VOLATILE},
      {"d", "uchar", CL_KERNEL_ARG_ADDRESS_PRIVATE, CL_KERNEL_ARG_TYPE_NONE},
      {"e", "where", CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_TYPE_NONE},
      {"f", "pair_t", CL_KERNEL_ARG_ADDRESS_PRIVATE, CL_KERNEL_ARG_TYPE_NONE},
      {"g", "struct tagged", CL_KERNEL_ARG_ADDRESS_PRIVATE, CL_KERNEL_ARG_TYPE_NONE},
      {"h", "int*", CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_TYPE_NONE},
      {"i", "ulong", CL_KERNEL_ARG_ADDRESS_PRIVATE, CL_KERNEL_ARG_TYPE_NONE},
      {"j", "struct tagged*", CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_TYPE_NONE},
      {"l", "double3", CL_KERNEL_ARG_ADDRESS_PRIVATE, CL_KERNEL_ARG_TYPE_NONE},
  };
  for (const char* options : {"", "-cl-kernel-arg-info"}) {
    cl_program p = s.build(text, options);
    cl_int e;
    cl_kernel k = clCreateKernel(p, "k", &e);
    REQUIRE(e == CL_SUCCESS);
    cl_uint n = 0;
    for (const Row& row : rows) {
      INFO(row.name);
      CHECK(argument_text(k, n, CL_KERNEL_ARG_NAME) == row.name);
      CHECK(argument_text(k, n, CL_KERNEL_ARG_TYPE_NAME) == row.type);
      CHECK(argument_word<cl_kernel_arg_address_qualifier>(k, n, CL_KERNEL_ARG_ADDRESS_QUALIFIER) ==
            row.space);
      CHECK(argument_word<cl_kernel_arg_access_qualifier>(k, n, CL_KERNEL_ARG_ACCESS_QUALIFIER) ==
            CL_KERNEL_ARG_ACCESS_NONE);
      CHECK(argument_word<cl_kernel_arg_type_qualifier>(k, n, CL_KERNEL_ARG_TYPE_QUALIFIER) ==
            row.qualifiers);
      ++n;
    }
    char room;
    CHECK(clGetKernelArgInfo(k, n, CL_KERNEL_ARG_NAME, 0, nullptr, nullptr) == CL_INVALID_ARG_INDEX);
    CHECK(clGetKernelArgInfo(k, 0, CL_KERNEL_ARG_NAME, 1, &room, nullptr) == CL_INVALID_VALUE);
    CHECK(clGetKernelArgInfo(k, 0, 0, 0, nullptr, nullptr) == CL_INVALID_VALUE);
    clReleaseKernel(k);
    clReleaseProgram(p);
  }
}

namespace {

const std::string kLog = std::string(KC_BINARY_DIR) + "/test_opencl_driver.log";
// Before the driver asks for it.
[[maybe_unused]] const bool kLogs = [] {
  std::remove(kLog.c_str());
  return setenv("KERNELC_LOG", kLog.c_str(), 1) == 0;
}();

}  // namespace

TEST_CASE("KERNELC_LOG names a file with a line for each form") {
  Setup s;
  cl_kernel k = s.kernel("kernel void logged(global int* a) { a[get_global_id(0)]++; }", "logged");
  cl_mem m = s.buffer(400);
  clSetKernelArg(k, 0, sizeof m, &m);
  const size_t global = 100;
  for (int i = 0; i < 3; ++i)
    REQUIRE(clEnqueueNDRangeKernel(s.queue, k, 1, nullptr, &global, nullptr, 0, nullptr, nullptr) ==
            CL_SUCCESS);
  CHECK(s.read(m, 100) == std::vector<int>(100, 3));
  std::ifstream in(kLog);
  int lines = 0;
  for (std::string line; std::getline(in, line);) {
    if (line.find("'logged'") == line.npos) continue;
    ++lines;
    INFO(line);
    CHECK(line.starts_with("kernelc: kernel 'logged': avx"));
    CHECK(line.find(" lanes along x, buffers below 2 GiB; compiled in ") != line.npos);
    CHECK(line.find("estimated cycles") != line.npos);
  }
  CHECK(lines == 1);
  clReleaseMemObject(m);
  clReleaseKernel(k);
}

TEST_CASE("a kernel that cannot be created is told to the log and the function of the context") {
  Setup s;
  // Only wave IR has parameters of other roles; a launch has no argument for a pointer to private memory.
  const std::string text =
      "thread func @fine() kernel {\nb0:\n  ret\n}\nthread func @bad(%0: ptr<private> a of i32) kernel "
      "{\nb0:\n"
      "  ret\n}\n";
  const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
  const size_t size = text.size();
  cl_int e, status;
  cl_program p = clCreateProgramWithBinary(s.context, 1, &s.device, &size, &bytes, &status, &e);
  REQUIRE(e == CL_SUCCESS);
  REQUIRE(clBuildProgram(p, 0, nullptr, nullptr, nullptr, nullptr) == CL_SUCCESS);
  CHECK_FALSE(clCreateKernel(p, "bad", &e));
  CHECK(e == CL_OUT_OF_RESOURCES);
  CHECK(s.heard.find("kernel 'bad': parameter 1") == 0);
  char log[1000] = "";
  REQUIRE(clGetProgramBuildInfo(p, s.device, CL_PROGRAM_BUILD_LOG, sizeof log, log, nullptr) == CL_SUCCESS);
  CHECK(std::string(log).find("error: kernel 'bad': parameter 1") == 0);
  s.heard.clear();
  cl_kernel list[2] = {};
  CHECK(clCreateKernelsInProgram(p, 2, list, nullptr) == CL_OUT_OF_RESOURCES);
  CHECK(s.heard.find("kernel 'bad'") == 0);
  CHECK(!list[0]);
  // None is left, so it may be built again.
  CHECK(clBuildProgram(p, 0, nullptr, nullptr, nullptr, nullptr) == CL_SUCCESS);
  cl_kernel k = clCreateKernel(p, "fine", &e);
  REQUIRE(e == CL_SUCCESS);
  CHECK(clGetKernelArgInfo(k, 0, CL_KERNEL_ARG_NAME, 0, nullptr, nullptr) == CL_INVALID_ARG_INDEX);
  clReleaseKernel(k);
  clReleaseProgram(p);
}

TEST_CASE("printf writes to the standard output") {
  Setup s;
  cl_kernel k = s.kernel(
      R"(kernel void p(int n, float2 v) { if (get_global_id(0) == 2) printf("%d %s %v2f %%\n", n, "text", v); })",
      "p");
  const int n = -7;
  const float v[2] = {1.5f, -2.0f};
  REQUIRE(clSetKernelArg(k, 0, sizeof n, &n) == CL_SUCCESS);
  REQUIRE(clSetKernelArg(k, 1, sizeof v, v) == CL_SUCCESS);
  const size_t global = 4;
  std::FILE* to = std::tmpfile();
  REQUIRE(to);
  std::fflush(stdout);
  const int before = dup(1);
  dup2(fileno(to), 1);
  const cl_int e = clEnqueueNDRangeKernel(s.queue, k, 1, nullptr, &global, nullptr, 0, nullptr, nullptr);
  const cl_int ended = clFinish(s.queue);
  std::fflush(stdout);
  dup2(before, 1);
  close(before);
  CHECK(e == CL_SUCCESS);
  CHECK(ended == CL_SUCCESS);
  std::rewind(to);
  char text[100] = "";
  const size_t got = std::fread(text, 1, sizeof text - 1, to);
  std::fclose(to);
  CHECK(std::string(text, got) == "-7 text 1.500000,-2.000000 %\n");
  clReleaseKernel(k);
}

TEST_CASE("native kernels get a copy of their arguments with the places of buffers") {
  Setup s;
  struct Arguments {
    int* data;
    int value;
  };
  auto body = [](void* p) {
    const auto* a = static_cast<Arguments*>(p);
    a->data[1] = a->value;
  };
  cl_mem m = s.buffer(8);
  cl_int e;
  cl_event gate = clCreateUserEvent(s.context, &e), done;
  Arguments a{nullptr, 42};
  const void* place = &a.data;
  auto native = [&](cl_uint n, const cl_mem* list, const void** places, void* arguments, size_t size) {
    return clEnqueueNativeKernel(s.queue, body, arguments, size, n, list, places, 0, nullptr, nullptr);
  };
  CHECK(clEnqueueNativeKernel(nullptr, body, &a, sizeof a, 1, &m, &place, 0, nullptr, nullptr) ==
        CL_INVALID_COMMAND_QUEUE);
  CHECK(clEnqueueNativeKernel(s.queue, nullptr, &a, sizeof a, 1, &m, &place, 0, nullptr, nullptr) ==
        CL_INVALID_VALUE);
  CHECK(native(1, nullptr, &place, &a, sizeof a) == CL_INVALID_VALUE);
  CHECK(native(1, &m, nullptr, &a, sizeof a) == CL_INVALID_VALUE);
  CHECK(native(0, &m, &place, &a, sizeof a) == CL_INVALID_VALUE);
  CHECK(native(0, nullptr, nullptr, &a, 0) == CL_INVALID_VALUE);
  CHECK(native(0, nullptr, nullptr, nullptr, 4) == CL_INVALID_VALUE);
  cl_mem none = nullptr;
  CHECK(native(1, &none, &place, &a, sizeof a) == CL_INVALID_MEM_OBJECT);
  REQUIRE(clEnqueueNativeKernel(s.queue, body, &a, sizeof a, 1, &m, &place, 1, &gate, &done) == CL_SUCCESS);
  a.value = 5;  // the copy has been made
  REQUIRE(clSetUserEventStatus(gate, CL_COMPLETE) == CL_SUCCESS);
  REQUIRE(clWaitForEvents(1, &done) == CL_SUCCESS);
  CHECK(s.read(m, 2) == std::vector<int>{0, 42});
  clReleaseEvent(gate);
  clReleaseEvent(done);
  clReleaseMemObject(m);
}

TEST_CASE("a clone has the arguments of its kernel, and its own from then on") {
  Setup s;
  cl_int e;
  CHECK_FALSE(clCloneKernel(nullptr, &e));
  CHECK(e == CL_INVALID_KERNEL);
  cl_kernel k = s.kernel(kAdd, "add");
  cl_mem m = s.buffer(4);
  int n = 3;
  clSetKernelArg(k, 0, sizeof m, &m);
  clSetKernelArg(k, 1, sizeof n, &n);
  cl_kernel copy = clCloneKernel(k, &e);
  REQUIRE(e == CL_SUCCESS);
  cl_uint references = 0;
  clGetKernelInfo(copy, CL_KERNEL_REFERENCE_COUNT, sizeof references, &references, nullptr);
  CHECK(references == 1);
  n = 10;
  clSetKernelArg(k, 1, sizeof n, &n);
  REQUIRE(clEnqueueTask(s.queue, copy, 0, nullptr, nullptr) == CL_SUCCESS);
  CHECK(s.read(m, 1)[0] == 3);
  clReleaseKernel(k);
  REQUIRE(clEnqueueTask(s.queue, copy, 0, nullptr, nullptr) == CL_SUCCESS);
  CHECK(s.read(m, 1)[0] == 6);
  clReleaseKernel(copy);
  clReleaseMemObject(m);
}

TEST_CASE("wrong handles and values are refused") {
  Setup s;
  cl_int e;
  char text[8];
  size_t bytes = 8;
  CHECK(clRetainDevice(nullptr) == CL_INVALID_DEVICE);
  CHECK(clRetainCommandQueue(nullptr) == CL_INVALID_COMMAND_QUEUE);
  CHECK(clFlush(nullptr) == CL_INVALID_COMMAND_QUEUE);
  CHECK(clFinish(nullptr) == CL_INVALID_COMMAND_QUEUE);
  CHECK(clGetContextInfo(s.context, 0, 8, text, &bytes) == CL_INVALID_VALUE);
  CHECK(clGetCommandQueueInfo(s.queue, CL_QUEUE_SIZE, 8, text, &bytes) == CL_INVALID_COMMAND_QUEUE);
  const cl_context_properties unknown[] = {1, 2, 0};
  CHECK_FALSE(clCreateContext(unknown, 1, &s.device, nullptr, nullptr, &e));
  CHECK(e == CL_INVALID_PROPERTY);
  CHECK_FALSE(clCreateContext(nullptr, 0, nullptr, nullptr, nullptr, &e));
  CHECK(e == CL_INVALID_VALUE);
  CHECK_FALSE(clCreateContextFromType(nullptr, CL_DEVICE_TYPE_GPU, nullptr, nullptr, &e));
  CHECK(e == CL_DEVICE_NOT_FOUND);
  const cl_queue_properties on_device[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE, 0};
  CHECK_FALSE(clCreateCommandQueueWithProperties(s.context, s.device, on_device, &e));
  CHECK(e == CL_INVALID_QUEUE_PROPERTIES);
  CHECK_FALSE(clCreateBuffer(s.context, CL_MEM_READ_WRITE, 0, nullptr, &e));
  CHECK(e == CL_INVALID_BUFFER_SIZE);
  CHECK_FALSE(clCreateBuffer(s.context, CL_MEM_COPY_HOST_PTR, 4, nullptr, &e));
  CHECK(e == CL_INVALID_HOST_PTR);
  CHECK_FALSE(clCreateBuffer(s.context, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 4, nullptr, &e));
  CHECK(e == CL_INVALID_VALUE);
  CHECK_FALSE(clCreateProgramWithSource(s.context, 0, nullptr, nullptr, &e));
  CHECK(e == CL_INVALID_VALUE);
  cl_program unbuilt = clCreateProgramWithSource(s.context, 1, std::array{kAdd}.data(), nullptr, &e);
  REQUIRE(e == CL_SUCCESS);
  CHECK_FALSE(clCreateKernel(unbuilt, "add", &e));
  CHECK(e == CL_INVALID_PROGRAM_EXECUTABLE);
  CHECK(clCreateKernelsInProgram(unbuilt, 0, nullptr, nullptr) == CL_INVALID_PROGRAM_EXECUTABLE);
  CHECK(clGetProgramInfo(unbuilt, CL_PROGRAM_KERNEL_NAMES, 8, text, &bytes) == CL_INVALID_PROGRAM_EXECUTABLE);
  clReleaseProgram(unbuilt);
  cl_program p = s.build(kAdd);
  CHECK_FALSE(clCreateKernel(p, "sub", &e));
  CHECK(e == CL_INVALID_KERNEL_NAME);
  CHECK_FALSE(clCreateKernel(p, nullptr, &e));
  CHECK(e == CL_INVALID_VALUE);
  clReleaseProgram(p);
  cl_event user = clCreateUserEvent(s.context, &e);
  REQUIRE(e == CL_SUCCESS);
  CHECK(clSetUserEventStatus(user, 1) == CL_INVALID_VALUE);
  CHECK(clSetEventCallback(user, CL_COMPLETE, nullptr, nullptr) == CL_INVALID_VALUE);
  CHECK(clGetEventProfilingInfo(user, CL_PROFILING_COMMAND_START, 8, text, &bytes) ==
        CL_PROFILING_INFO_NOT_AVAILABLE);
  CHECK(clWaitForEvents(0, nullptr) == CL_INVALID_VALUE);
  cl_event nothing = nullptr;
  CHECK(clWaitForEvents(1, &nothing) == CL_INVALID_EVENT);
  CHECK(clEnqueueMarkerWithWaitList(s.queue, 1, &nothing, nullptr) == CL_INVALID_EVENT_WAIT_LIST);
  CHECK(clEnqueueBarrierWithWaitList(s.queue, 1, nullptr, nullptr) == CL_INVALID_EVENT_WAIT_LIST);
  clSetUserEventStatus(user, CL_COMPLETE);
  clReleaseEvent(user);
  cl_mem m = s.buffer(16);
  CHECK(clEnqueueReadBuffer(s.queue, m, CL_TRUE, 12, 8, text, 0, nullptr, nullptr) == CL_INVALID_VALUE);
  CHECK(clEnqueueWriteBuffer(s.queue, nullptr, CL_TRUE, 0, 4, text, 0, nullptr, nullptr) ==
        CL_INVALID_MEM_OBJECT);
  CHECK_FALSE(clEnqueueMapBuffer(s.queue, m, CL_TRUE, CL_MAP_READ, 16, 1, 0, nullptr, nullptr, &e));
  CHECK(e == CL_INVALID_VALUE);
  CHECK(clEnqueueUnmapMemObject(s.queue, m, text, 0, nullptr, nullptr) == CL_INVALID_VALUE);
  CHECK(clSetMemObjectDestructorCallback(m, nullptr, nullptr) == CL_INVALID_VALUE);
  CHECK(clGetMemObjectInfo(m, 0, 8, text, &bytes) == CL_INVALID_VALUE);
  clReleaseMemObject(m);
}
