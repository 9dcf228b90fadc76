// SPDX-License-Identifier: Apache-2.0
// Programs and kernels.
#include <algorithm>

#include "tests/opencl_calls/world.h"

namespace calls {
namespace {

// The kernels of kNames.
constexpr const char* kText = R"(
kernel void add(global int* a, int n) { a[get_global_id(0)] += n; }
kernel void mirror(global uchar* a, local uchar* l) {
  size_t i = get_local_id(0), n = get_local_size(0);
  l[i] = a[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = l[n - 1 - i];
}
struct pair { int a; short b; };
kernel void sum(global int* to, global const int* from, struct pair p, int2 v) {
  size_t i = get_global_id(0);
  to[i] = from[i] * p.a + p.b + v.x - v.y;
}
kernel void speak(global int* a) { if (!get_global_id(0)) printf("%d\n", a[0]); }
kernel void trap(global int* a) { throw 5; }
kernel __attribute__((reqd_work_group_size(4, 2, 1))) void groups(global int* a) {
  a[get_global_id(1) * get_global_size(0) + get_global_id(0)] = (int)(get_group_id(0) * 16 + get_local_id(1));
}
)";

}  // namespace

void World::create_program(Dice& dice) {
  if (programs_.size() > 3) return;
  cl_int e = 1;
  const char* text = kText;
  cl_program p = clCreateProgramWithSource(s.context, 1, &text, nullptr, &e);
  expect(e, CL_SUCCESS, "clCreateProgramWithSource");
  std::atomic<int> called = 0;
  auto done = [](cl_program, void* user) { ++*static_cast<std::atomic<int>*>(user); };
  constexpr const char* kOptions[] = {"", "-cl-opt-disable", "-DN=3 -w", "-cl-std=CL3.0"};
  const bool calls = dice.one_in(2);
  expect(
      clBuildProgram(p, 1, &s.device, kOptions[dice(4)], calls ? +done : nullptr, calls ? &called : nullptr),
      CL_SUCCESS, "clBuildProgram");
  require(called == calls, "the callback of a build is not called");
  programs_.push_back(p);
}

void World::wrong_program(Dice& dice) {
  cl_int e = 1;
  const char* texts[] = {"kernel void f(global int* a) { a[0] = ; }", "#error no", "kernel void f(",
                         "\x01\xff", "kernel void f() { undeclared(); }"};
  cl_program p = clCreateProgramWithSource(s.context, 1, &texts[dice(5)], nullptr, &e);
  expect(e, CL_SUCCESS, "clCreateProgramWithSource");
  if (dice.one_in(3))
    expect(clBuildProgram(p, 0, nullptr, "-fno-such-option", nullptr, nullptr), CL_INVALID_BUILD_OPTIONS,
           "clBuildProgram");
  expect(clBuildProgram(p, 0, nullptr, nullptr, nullptr, nullptr), CL_BUILD_PROGRAM_FAILURE,
         "clBuildProgram");
  size_t length = 0;
  expect(clGetProgramBuildInfo(p, s.device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &length), CL_SUCCESS, "a log");
  require(length > 1, "a program that fails to compile has no log");
  require(!clCreateKernel(p, "f", &e), "a kernel of a program that failed");
  expect(e, CL_INVALID_PROGRAM_EXECUTABLE, "clCreateKernel");
  expect(clReleaseProgram(p), CL_SUCCESS, "clReleaseProgram");
}

void World::separate_program(Dice& dice) {
  cl_int e = 1;
  const char* texts[] = {"int twice(int x) { return x * 2; }",
                         "#include \"h.h\"\nkernel void f(global int* a) { a[0] = twice(a[0]); }",
                         "int twice(int x);"};
  cl_program parts[3];
  for (int i = 0; i < 3; ++i) {
    parts[i] = clCreateProgramWithSource(s.context, 1, &texts[i], nullptr, &e);
    expect(e, CL_SUCCESS, "clCreateProgramWithSource");
  }
  const char* name = "h.h";
  const bool missing = dice.one_in(3);
  expect(clCompileProgram(parts[0], 0, nullptr, nullptr, 0, nullptr, nullptr, nullptr, nullptr), CL_SUCCESS,
         "clCompileProgram");
  expect(clCompileProgram(parts[1], 0, nullptr, nullptr, 1, &parts[2], &name, nullptr, nullptr), CL_SUCCESS,
         "clCompileProgram");
  cl_program linked = missing ? clLinkProgram(s.context, 0, nullptr, "", 1, &parts[1], nullptr, nullptr, &e)
                              : clLinkProgram(s.context, 0, nullptr, "", 2, parts, nullptr, nullptr, &e);
  expect(e, missing ? CL_LINK_PROGRAM_FAILURE : CL_SUCCESS, "clLinkProgram");
  for (cl_program p : parts) expect(clReleaseProgram(p), CL_SUCCESS, "clReleaseProgram");
  expect(clUnloadPlatformCompiler(s.platform), CL_SUCCESS, "clUnloadPlatformCompiler");
  cl_uint kernels = 99;
  expect(clCreateKernelsInProgram(linked, 0, nullptr, &kernels),
         missing ? CL_INVALID_PROGRAM_EXECUTABLE : CL_SUCCESS, "clCreateKernelsInProgram");
  if (!missing) require(kernels == 1, "a linked program has another number of kernels");
  expect(clBuildProgram(linked, 0, nullptr, nullptr, nullptr, nullptr), CL_INVALID_OPERATION,
         "clBuildProgram");
  if (linked) expect(clReleaseProgram(linked), CL_SUCCESS, "clReleaseProgram");
}

// The binary of a program; or one with a byte changed, which is refused, or makes a program that is not run.
void World::from_binary(Dice& dice) {
  if (programs_.empty()) return;
  cl_program of = *std::next(programs_.begin(), static_cast<long>(dice(programs_.size())));
  size_t size = 0;
  expect(clGetProgramInfo(of, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr), CL_SUCCESS, "a size");
  Bytes bytes(size);
  unsigned char* to = bytes.data();
  expect(clGetProgramInfo(of, CL_PROGRAM_BINARIES, sizeof to, &to, nullptr), CL_SUCCESS, "a binary");
  const bool changed = dice.one_in(2);
  if (changed) {
    if (dice.one_in(2)) bytes.resize(1 + dice(size));
    bytes[dice(bytes.size())] = static_cast<uint8_t>(dice.bits());
    size = bytes.size();
  }
  const unsigned char* from = bytes.data();
  cl_int e = 1, status = 1;
  cl_program p = clCreateProgramWithBinary(s.context, 1, &s.device, &size, &from, &status, &e);
  require(status == e && (p != nullptr) == (e == CL_SUCCESS), "a binary's two answers differ");
  if (!changed) expect(e, CL_SUCCESS, "clCreateProgramWithBinary");
  if (!p) return expect(e, CL_INVALID_BINARY, "clCreateProgramWithBinary");
  e = clBuildProgram(p, 0, nullptr, "", nullptr, nullptr);
  if (!changed) {
    expect(e, CL_SUCCESS, "clBuildProgram");
    if (programs_.size() < 4) return programs_.push_back(p);
  } else if (!e) {
    cl_kernel kernels[16] = {};
    cl_uint n = 0;
    if (!clCreateKernelsInProgram(p, 16, kernels, &n))
      for (cl_uint i = 0; i < n; ++i) expect(clReleaseKernel(kernels[i]), CL_SUCCESS, "clReleaseKernel");
  }
  expect(clReleaseProgram(p), CL_SUCCESS, "clReleaseProgram");
}

// Its kernels keep it.
void World::release_program(Dice& dice) {
  if (programs_.size() < 2) return;
  auto i = std::next(programs_.begin(), static_cast<long>(dice(programs_.size())));
  const bool has_kernels = std::ranges::any_of(kernels_, [&](const Kernel& k) { return k.program == *i; });
  expect(clBuildProgram(*i, 0, nullptr, "", nullptr, nullptr),
         has_kernels ? CL_INVALID_OPERATION : CL_SUCCESS, "a second clBuildProgram");
  expect(clReleaseProgram(*i), CL_SUCCESS, "clReleaseProgram");
  programs_.erase(i);
}

void World::create_kernel(Dice& dice) {
  if (programs_.empty() || kernels_.size() > 10) return;
  cl_int e = 1;
  if (Kernel* k = any_kernel(dice); k && dice.one_in(3)) {
    cl_kernel copy = clCloneKernel(k->handle, &e);
    expect(e, CL_SUCCESS, "clCloneKernel");
    kernels_.push_back({copy, k->kind, k->program});
    return;
  }
  cl_program p = *std::next(programs_.begin(), static_cast<long>(dice(programs_.size())));
  const size_t kind = dice(kNames.size());
  cl_kernel k = clCreateKernel(p, kNames[kind], &e);
  expect(e, CL_SUCCESS, "clCreateKernel");
  kernels_.push_back({k, static_cast<KernelKind>(kind), p});
}

// Its launches go on.
void World::release_kernel(Dice& dice) {
  if (kernels_.empty()) return;
  auto i = std::next(kernels_.begin(), static_cast<long>(dice(kernels_.size())));
  expect(clReleaseKernel(i->handle), CL_SUCCESS, "clReleaseKernel");
  kernels_.erase(i);
}

// A context of its own: its objects do not go with those of the other.
void World::other_context(Dice& dice) {
  cl_int e = 1;
  cl_context c = clCreateContextFromType(nullptr, CL_DEVICE_TYPE_CPU, nullptr, nullptr, &e);
  expect(e, CL_SUCCESS, "clCreateContextFromType");
  cl_event foreign = clCreateUserEvent(c, &e);
  cl_mem m = clCreateBuffer(c, CL_MEM_READ_WRITE, 64, nullptr, &e);
  Queue& q = any_queue(dice);
  uint8_t byte = 0;
  expect(clEnqueueMarkerWithWaitList(q.handle, 1, &foreign, nullptr), CL_INVALID_CONTEXT, "a foreign event");
  expect(clEnqueueReadBuffer(q.handle, m, CL_TRUE, 0, 1, &byte, 0, nullptr, nullptr), CL_INVALID_CONTEXT,
         "a foreign buffer");
  if (!events_.empty()) {
    const cl_event list[] = {foreign, events_.front()->handle};
    expect(clWaitForEvents(2, list), CL_INVALID_CONTEXT, "events of two contexts");
  }
  if (Kernel* k = any_kernel(dice); k && k->kind == KernelKind::Speak) {
    const size_t one = 1;
    expect(clSetKernelArg(k->handle, 0, sizeof m, &m), CL_SUCCESS, "clSetKernelArg");
    expect(clEnqueueNDRangeKernel(q.handle, k->handle, 1, nullptr, &one, nullptr, 0, nullptr, nullptr),
           CL_INVALID_CONTEXT, "an argument of another context");
  }
  expect(clSetUserEventStatus(foreign, -3), CL_SUCCESS, "clSetUserEventStatus");
  expect(clReleaseContext(c), CL_SUCCESS, "clReleaseContext");
  expect(clReleaseMemObject(m), CL_SUCCESS, "clReleaseMemObject");
  expect(clReleaseEvent(foreign), CL_SUCCESS, "clReleaseEvent");
}

}  // namespace calls
