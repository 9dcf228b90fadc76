// SPDX-License-Identifier: Apache-2.0
// Programs that are compiled in parts and linked.
#include <array>

#include "tests/opencl_driver/setup.h"

namespace {

cl_program source(Setup& s, const char* text) {
  cl_int e;
  cl_program p = clCreateProgramWithSource(s.context, 1, &text, nullptr, &e);
  REQUIRE(e == CL_SUCCESS);
  return p;
}

cl_int compile(cl_program p, const char* options = "") {
  return clCompileProgram(p, 0, nullptr, options, 0, nullptr, nullptr, nullptr, nullptr);
}

cl_program compiled(Setup& s, const char* text, const char* options = "") {
  cl_program p = source(s, text);
  REQUIRE(compile(p, options) == CL_SUCCESS);
  return p;
}

cl_program link(Setup& s, std::vector<cl_program> inputs, const char* options = "",
                cl_int expected = CL_SUCCESS) {
  cl_int e;
  cl_program p = clLinkProgram(s.context, 0, nullptr, options, static_cast<cl_uint>(inputs.size()),
                               inputs.data(), nullptr, nullptr, &e);
  CHECK(e == expected);
  for (cl_program i : inputs) clReleaseProgram(i);
  return p;
}

std::string log_of(Setup& s, cl_program p) {
  char log[2000] = "";
  REQUIRE(clGetProgramBuildInfo(p, s.device, CL_PROGRAM_BUILD_LOG, sizeof log, log, nullptr) == CL_SUCCESS);
  return log;
}

cl_program_binary_type type_of(Setup& s, cl_program p) {
  cl_program_binary_type type = 99;
  REQUIRE(clGetProgramBuildInfo(p, s.device, CL_PROGRAM_BINARY_TYPE, sizeof type, &type, nullptr) ==
          CL_SUCCESS);
  return type;
}

cl_program reloaded(Setup& s, cl_program p) {
  size_t size = 0;
  REQUIRE(clGetProgramInfo(p, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr) == CL_SUCCESS);
  std::vector<unsigned char> bytes(size);
  unsigned char* to = bytes.data();
  REQUIRE(clGetProgramInfo(p, CL_PROGRAM_BINARIES, sizeof to, &to, nullptr) == CL_SUCCESS);
  const unsigned char* from = to;
  cl_int e, status;
  cl_program again = clCreateProgramWithBinary(s.context, 1, &s.device, &size, &from, &status, &e);
  REQUIRE(e == CL_SUCCESS);
  clReleaseProgram(p);
  return again;
}

std::vector<int> run(Setup& s, cl_program p, const char* name, size_t n) {
  cl_int e;
  cl_kernel k = clCreateKernel(p, name, &e);
  REQUIRE(e == CL_SUCCESS);
  cl_mem m = s.buffer(n * 4);
  REQUIRE(clSetKernelArg(k, 0, sizeof m, &m) == CL_SUCCESS);
  REQUIRE(clEnqueueNDRangeKernel(s.queue, k, 1, nullptr, &n, nullptr, 0, nullptr, nullptr) == CL_SUCCESS);
  std::vector<int> out = s.read(m, n);
  clReleaseMemObject(m);
  clReleaseKernel(k);
  return out;
}

// Each unit has its own `scale`, macro and structure; `step` and `table` are defined in the other one.
constexpr const char* kCaller = R"(
#define FACTOR 10
struct pair { int a; float b; };
struct pair step(struct pair p, global int* out);
extern constant int table[];
static int scale(int x) { return FACTOR * x; }
kernel void k(global int* out) {
  int i = get_global_id(0);
  struct pair p = {i, 0.5f};
  p = step(p, out);
  out[i] += scale(p.a) + (int)(2 * p.b) + table[i];
}
)";
constexpr const char* kCallee = R"(
typedef struct other { int first; float second; } other;
constant int table[4] = {1000, 2000, 3000, 4000};
static int scale(int x) { return x + FACTOR; }
other step(other p, global int* out) {
  out[p.first] = 100000;
  other next = {scale(p.first), p.second + 1};
  return next;
}
)";

}  // namespace

TEST_CASE("functions and constants of one object are used in another; their names may be private") {
  Setup s;
  cl_program p = link(s, {compiled(s, kCaller), compiled(s, kCallee, "-D FACTOR=1")});
  CHECK(type_of(s, p) == CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
  CHECK(run(s, p, "k", 4) == std::vector<int>{101013, 102023, 103033, 104043});
  char text[32];
  REQUIRE(clGetProgramInfo(p, CL_PROGRAM_KERNEL_NAMES, sizeof text, text, nullptr) == CL_SUCCESS);
  CHECK(std::string(text) == "k");
  cl_kernel k = clCreateKernel(p, "k", nullptr);
  REQUIRE(clGetKernelArgInfo(k, 0, CL_KERNEL_ARG_NAME, sizeof text, text, nullptr) == CL_SUCCESS);
  CHECK(std::string(text) == "out");
  clReleaseKernel(k);
  p = reloaded(s, p);
  REQUIRE(clBuildProgram(p, 0, nullptr, "", nullptr, nullptr) == CL_SUCCESS);
  CHECK(run(s, p, "k", 2) == std::vector<int>{101013, 102023});
  clReleaseProgram(p);
}

TEST_CASE("objects and libraries are binaries, too") {
  Setup s;
  cl_program callee = reloaded(s, compiled(s, kCallee, "-D FACTOR=1"));
  CHECK(type_of(s, callee) == CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT);
  cl_program library = reloaded(s, link(s, {callee}, "-create-library -enable-link-options"));
  CHECK(type_of(s, library) == CL_PROGRAM_BINARY_TYPE_LIBRARY);
  CHECK(clGetProgramInfo(library, CL_PROGRAM_NUM_KERNELS, 0, nullptr, nullptr) ==
        CL_INVALID_PROGRAM_EXECUTABLE);
  cl_program p = link(s, {compiled(s, kCaller), library});
  CHECK(run(s, p, "k", 1) == std::vector<int>{101013});
  clReleaseProgram(p);
  // an object that needs nothing else may be built
  p = reloaded(s, compiled(s, "kernel void k(global int* a) { a[0] = (int)(1.0 / 3 == 1.0f / 3); }",
                           "-cl-single-precision-constant"));
  REQUIRE(clBuildProgram(p, 0, nullptr, "", nullptr, nullptr) == CL_SUCCESS);
  CHECK(run(s, p, "k", 1) == std::vector<int>{1});
  clReleaseProgram(p);
  for (std::string wrong : {"kernelc object\n12\nabc\n", "kernelc object\nx\nabc\n", "kernelc object\n3\nabc",
                            "kernelc library\n99999999999999999999\nabc\n"}) {
    const size_t size = wrong.size();
    const auto* bytes = reinterpret_cast<const unsigned char*>(wrong.data());
    cl_int e, status;
    CHECK_FALSE(clCreateProgramWithBinary(s.context, 1, &s.device, &size, &bytes, &status, &e));
    CHECK(e == CL_INVALID_BINARY);
  }
}

TEST_CASE("headers are found by their names, also from other headers") {
  Setup s;
  cl_program outer = source(s, "#include \"below.h\"\n#include <other.h>\n");
  cl_program below = source(s, "int twice(int x) { return 2 * x; }");
  cl_program other = source(s, "#define SEVEN 7\n");
  cl_program unused = source(s, "#error this one has a name that came before\n");
  const cl_program headers[] = {outer, below, other, unused};
  const char* names[] = {"dir/outer.h", "dir/below.h", "other.h", "other.h"};
  cl_program p = source(s, "#include \"dir/outer.h\"\nkernel void k(global int* a) { a[0] = twice(SEVEN); }");
  CHECK(compile(p) == CL_COMPILE_PROGRAM_FAILURE);
  CHECK(log_of(s, p).find("'dir/outer.h' file not found") != std::string::npos);
  REQUIRE(clCompileProgram(p, 1, &s.device, nullptr, 4, headers, names, nullptr, nullptr) == CL_SUCCESS);
  for (cl_program h : headers) clReleaseProgram(h);
  p = link(s, {p});
  CHECK(run(s, p, "k", 1) == std::vector<int>{14});
  clReleaseProgram(p);
}

// log(0) is minus infinity, with looser arithmetic some number.
TEST_CASE("linked programs have looser arithmetic if all were compiled for it") {
  Setup s;
  const char* part = "float f(float x) { return log(x); }";
  const char* whole = "float f(float x); kernel void k(global int* a) { a[0] = isinf(f(a[0])); }";
  const char* fast = "-cl-fast-relaxed-math";
  const char* unsafe = "-cl-unsafe-math-optimizations";
  auto result = [&](const char* first, const char* second) {
    cl_program p = link(s, {reloaded(s, compiled(s, part, first)), compiled(s, whole, second)});
    const int infinite = run(s, p, "k", 1)[0];
    clReleaseProgram(p);
    return infinite;
  };
  CHECK(result("", "") == 1);
  CHECK(result(fast, fast) == 0);
  CHECK(result(fast, unsafe) == 0);
  CHECK(result(fast, "") == 1);
  CHECK(result("", unsafe) == 1);
}

TEST_CASE("what does not fit together is an error of the linkage, with a log") {
  struct Row {
    const char *one, *other, *message;
  };
  const Row row = GENERATE(
      Row{"int f(int); kernel void k(global int* a) { a[0] = f(1); }", "int g(int x) { return x; }",
          "function 'f' is declared but never defined"},
      Row{"int f(int); kernel void k(global int* a) { a[0] = f(1); }", "int f(float x) { return (int)x; }",
          "conflicting types for 'f'"},
      Row{"int f(int); kernel void k(global int* a) { a[0] = f(1); }", "static int f(int x) { return x; }",
          "function 'f' is declared but never defined"},
      Row{"int f(int x) { return x; } kernel void k(global int* a) { a[0] = f(1); }",
          "int f(int x) { return x; }", "redefinition of 'f'"},
      Row{"extern constant int c; kernel void k(global int* a) { a[0] = c; }", "constant float c = 1;",
          "conflicting types for 'c'"},
      Row{"extern constant int c; kernel void k(global int* a) { a[0] = c; }", "static constant int c = 1;",
          "constant 'c' is declared but never defined"},
      Row{"constant int c = 1; kernel void k(global int* a) { a[0] = c; }", "constant int c = 1;",
          "redefinition of 'c'"},
      Row{"int g(int); int f(int x) { return g(x); } kernel void k(global int* a) { a[0] = f(1); }",
          "int f(int); int g(int x) { return f(x); }", "recursion is not allowed"},
      Row{"struct t { int a; }; int f(struct t); kernel void k(global int* a) { struct t x = {1}; a[0] = "
          "f(x); }",
          "struct t { float a; }; int f(struct t x) { return (int)x.a; }", "conflicting types for 'f'"});
  Setup s;
  cl_program p = link(s, {compiled(s, row.one), compiled(s, row.other)}, "", CL_LINK_PROGRAM_FAILURE);
  REQUIRE(p);
  CHECK(log_of(s, p).find(row.message) != std::string::npos);
  CHECK(type_of(s, p) == CL_PROGRAM_BINARY_TYPE_NONE);
  cl_int e;
  CHECK_FALSE(clCreateKernel(p, "k", &e));
  CHECK(e == CL_INVALID_PROGRAM_EXECUTABLE);
  clReleaseProgram(p);
}

TEST_CASE("compilations and linkages refuse wrong arguments") {
  Setup s;
  cl_int e;
  cl_program p = source(s, kAdd), header = source(s, "");
  const char* name = "header.h";
  auto heard = [](cl_program, void* user) { ++*static_cast<int*>(user); };
  int calls = 0;
  CHECK(compile(nullptr) == CL_INVALID_PROGRAM);
  CHECK(compile(p, "-cl-std=CL9") == CL_INVALID_COMPILER_OPTIONS);
  CHECK(clCompileProgram(p, 1, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr) == CL_INVALID_VALUE);
  CHECK(clCompileProgram(p, 0, &s.device, "", 0, nullptr, nullptr, nullptr, nullptr) == CL_INVALID_VALUE);
  CHECK(clCompileProgram(p, 0, nullptr, "", 0, &header, nullptr, nullptr, nullptr) == CL_INVALID_VALUE);
  CHECK(clCompileProgram(p, 0, nullptr, "", 0, nullptr, &name, nullptr, nullptr) == CL_INVALID_VALUE);
  CHECK(clCompileProgram(p, 0, nullptr, "", 1, &header, nullptr, nullptr, nullptr) == CL_INVALID_VALUE);
  CHECK(clCompileProgram(p, 0, nullptr, "", 1, nullptr, &name, nullptr, nullptr) == CL_INVALID_VALUE);
  CHECK(clCompileProgram(p, 0, nullptr, "", 0, nullptr, nullptr, nullptr, &calls) == CL_INVALID_VALUE);
  cl_device_id no_device = nullptr;
  CHECK(clCompileProgram(p, 1, &no_device, "", 0, nullptr, nullptr, nullptr, nullptr) == CL_INVALID_DEVICE);
  const cl_program none = nullptr;
  CHECK(clCompileProgram(p, 0, nullptr, "", 1, &none, &name, nullptr, nullptr) == CL_INVALID_PROGRAM);
  auto link_with = [&](cl_context c, const char* options, cl_uint n, const cl_program* list) {
    CHECK_FALSE(clLinkProgram(c, 0, nullptr, options, n, list, nullptr, nullptr, &e));
    return e;
  };
  CHECK(link_with(s.context, "", 1, &p) == CL_INVALID_OPERATION);  // not compiled
  REQUIRE(compile(p) == CL_SUCCESS);
  CHECK(link_with(nullptr, "", 1, &p) == CL_INVALID_CONTEXT);
  CHECK(link_with(s.context, "", 0, nullptr) == CL_INVALID_VALUE);
  CHECK(link_with(s.context, "", 1, nullptr) == CL_INVALID_VALUE);
  CHECK(link_with(s.context, "", 1, &none) == CL_INVALID_PROGRAM);
  CHECK(link_with(s.context, "-create-libraries", 1, &p) == CL_INVALID_LINKER_OPTIONS);
  CHECK(link_with(s.context, "-enable-link-options", 1, &p) == CL_INVALID_LINKER_OPTIONS);
  CHECK_FALSE(clLinkProgram(s.context, 1, nullptr, "", 1, &p, nullptr, nullptr, &e));
  CHECK(e == CL_INVALID_VALUE);
  CHECK_FALSE(clLinkProgram(s.context, 1, &no_device, "", 1, &p, nullptr, nullptr, &e));
  CHECK(e == CL_INVALID_DEVICE);
  CHECK_FALSE(clLinkProgram(s.context, 0, nullptr, "", 1, &p, nullptr, &calls, &e));
  CHECK(e == CL_INVALID_VALUE);
  // with a function to call, an error of the source is in the log alone
  cl_program linked = clLinkProgram(s.context, 0, nullptr, "", 1, &p, heard, &calls, &e);
  CHECK(e == CL_SUCCESS);
  CHECK(calls == 1);
  CHECK(link_with(s.context, "", 1, &linked) == CL_INVALID_OPERATION);  // an executable
  CHECK(compile(linked) == CL_INVALID_OPERATION);                       // it has no source
  cl_kernel k = clCreateKernel(linked, "add", &e);
  REQUIRE(e == CL_SUCCESS);
  clReleaseKernel(k);
  clReleaseProgram(linked);
  cl_program bad = source(s, "kernel void k(global int* a) { a[0] = b; }");
  CHECK(clCompileProgram(bad, 0, nullptr, "", 0, nullptr, nullptr, heard, &calls) == CL_SUCCESS);
  CHECK(calls == 2);
  CHECK(log_of(s, bad).find("'b'") != std::string::npos);
  CHECK(clBuildProgram(bad, 0, nullptr, "", heard, &calls) == CL_SUCCESS);
  CHECK(calls == 3);
  cl_build_status status = 9;
  clGetProgramBuildInfo(bad, s.device, CL_PROGRAM_BUILD_STATUS, sizeof status, &status, nullptr);
  CHECK(status == CL_BUILD_ERROR);
  REQUIRE(clBuildProgram(p, 0, nullptr, "", nullptr, nullptr) == CL_SUCCESS);
  k = clCreateKernel(p, "add", &e);
  CHECK(compile(p) == CL_INVALID_OPERATION);  // it has a kernel
  clReleaseKernel(k);
  for (cl_program each : {bad, p, header}) clReleaseProgram(each);
}

TEST_CASE("the attributes of a kernel are told as its source has them") {
  Setup s;
  cl_kernel k = s.kernel(R"(#define WIDTH 8
    __attribute__((reqd_work_group_size(WIDTH, 1, 1))) __kernel_exec(WIDTH, float4) void k(global int* a) {})",
                         "k");
  char text[200];
  REQUIRE(clGetKernelInfo(k, CL_KERNEL_ATTRIBUTES, sizeof text, text, nullptr) == CL_SUCCESS);
  CHECK(std::string(text) ==
        "reqd_work_group_size(8, 1, 1) work_group_size_hint(8, 1, 1) vec_type_hint(float4)");
  clReleaseKernel(k);
}

TEST_CASE("a kernel does not keep the buffers that are its arguments") {
  Setup s;
  cl_kernel k = s.kernel(kAdd, "add");
  cl_mem m = s.buffer(4);
  int ended = 0, one = 1;
  auto end = [](cl_mem, void* user) { ++*static_cast<int*>(user); };
  REQUIRE(clSetMemObjectDestructorCallback(m, end, &ended) == CL_SUCCESS);
  REQUIRE(clSetKernelArg(k, 0, sizeof m, &m) == CL_SUCCESS);
  REQUIRE(clSetKernelArg(k, 1, sizeof one, &one) == CL_SUCCESS);
  cl_int e;
  cl_event gate = clCreateUserEvent(s.context, &e), done;
  const size_t n = 1;
  REQUIRE(clEnqueueNDRangeKernel(s.queue, k, 1, nullptr, &n, nullptr, 1, &gate, &done) == CL_SUCCESS);
  clReleaseMemObject(m);
  CHECK(ended == 0);  // the command keeps it
  clSetUserEventStatus(gate, CL_COMPLETE);
  REQUIRE(clWaitForEvents(1, &done) == CL_SUCCESS);
  clFinish(s.queue);
  CHECK(clEnqueueTask(s.queue, k, 0, nullptr, nullptr) == CL_INVALID_KERNEL_ARGS);
  CHECK(ended == 1);
  clReleaseEvent(gate);
  clReleaseEvent(done);
  clReleaseKernel(k);
}
