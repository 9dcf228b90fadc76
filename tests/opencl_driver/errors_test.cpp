// SPDX-License-Identifier: Apache-2.0
// Every function of the driver returns the errors that the specification asks for.
#include <fstream>
#include <iterator>
#include <memory>
#include <regex>
#include <set>
#include <type_traits>

#include "tests/opencl_driver/setup.h"

namespace {

constexpr const char* kKernels = R"(
kernel void all(global int* a, int n, local int* l) { a[get_global_id(0)] += n + l[0]; }
kernel __attribute__((reqd_work_group_size(4, 1, 1))) void fours(global int* a) { a[get_global_id(0)]++; }
)";
constexpr size_t kHuge = ~size_t{0};

void CL_CALLBACK on_event(cl_event, cl_int, void*) {}
void CL_CALLBACK on_memory(cl_mem, void*) {}
void CL_CALLBACK on_context(cl_context, void*) {}
void CL_CALLBACK on_program(cl_program, void*) { FAIL("what is refused has no end to be told of"); }
void CL_CALLBACK native(void*) {}

/// One right object of each kind, and others in the states that functions refuse.
struct World : Setup {
  cl_int e = 0;
  char room[512];
  int number = 0;
  size_t bytes = 0;
  cl_context other = nullptr;
  cl_command_queue foreign_queue = nullptr;
  cl_event foreign = nullptr, failed = nullptr, done = nullptr, no_event = nullptr;
  cl_mem m = nullptr, left = nullptr, right = nullptr, no_mem = nullptr;  // two parts of `m` that overlap
  cl_mem kernel_reads = nullptr, kernel_writes = nullptr, host_reads = nullptr, host_writes = nullptr,
         host_apart = nullptr, foreign_m = nullptr;
  cl_program built = nullptr, unbuilt = nullptr, broken = nullptr, object = nullptr, linked = nullptr,
             binary = nullptr, no_program = nullptr;
  cl_kernel k = nullptr, fours = nullptr, unset = nullptr, with_ended = nullptr, of_binary = nullptr;
  std::vector<unsigned char> code;
  const unsigned char *code_begin = nullptr, *no_code = nullptr;
  const char *text = kKernels, *no_text = nullptr, *name = "a.h";
  cl_device_id no_device = nullptr;
  cl_event two_contexts[2], one_failed[2], wrong_events[1];
  const cl_mem_properties mem_property[2] = {7, 0};
  const void* place = room;

  cl_mem make(cl_mem_flags flags) { return clCreateBuffer(context, flags, 1024, nullptr, &e); }
  World() {
    other = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &e);
    foreign_queue = clCreateCommandQueue(other, device, 0, &e);
    foreign = clCreateUserEvent(other, &e);
    failed = clCreateUserEvent(context, &e);
    done = clCreateUserEvent(context, &e);
    clSetUserEventStatus(failed, -5);
    clSetUserEventStatus(done, CL_COMPLETE);
    two_contexts[0] = one_failed[1] = done;
    two_contexts[1] = foreign;
    one_failed[0] = failed;
    wrong_events[0] = reinterpret_cast<cl_event>(context);
    m = buffer(1024);
    const cl_buffer_region first{0, 512}, second{256, 512};
    left = clCreateSubBuffer(m, 0, CL_BUFFER_CREATE_TYPE_REGION, &first, &e);
    right = clCreateSubBuffer(m, 0, CL_BUFFER_CREATE_TYPE_REGION, &second, &e);
    kernel_reads = make(CL_MEM_READ_ONLY);
    kernel_writes = make(CL_MEM_WRITE_ONLY);
    host_reads = make(CL_MEM_HOST_READ_ONLY);
    host_writes = make(CL_MEM_HOST_WRITE_ONLY);
    host_apart = make(CL_MEM_HOST_NO_ACCESS);
    foreign_m = clCreateBuffer(other, 0, 1024, nullptr, &e);
    built = build(kKernels);
    unbuilt = clCreateProgramWithSource(context, 1, &text, nullptr, &e);
    broken = build("kernel void k() { x; }", "", CL_BUILD_PROGRAM_FAILURE);
    const char* unit = "int f(int x) { return x; }";
    object = clCreateProgramWithSource(context, 1, &unit, nullptr, &e);
    REQUIRE(clCompileProgram(object, 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr) == CL_SUCCESS);
    linked = clLinkProgram(context, 0, nullptr, "", 1, &object, nullptr, nullptr, &e);
    REQUIRE(e == CL_SUCCESS);
    REQUIRE(clGetProgramInfo(built, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, nullptr) == CL_SUCCESS);
    code.resize(bytes);
    unsigned char* to = code.data();
    REQUIRE(clGetProgramInfo(built, CL_PROGRAM_BINARIES, sizeof to, &to, nullptr) == CL_SUCCESS);
    code_begin = to;
    binary = clCreateProgramWithBinary(context, 1, &device, &bytes, &code_begin, nullptr, &e);
    REQUIRE(e == CL_SUCCESS);
    REQUIRE(clBuildProgram(binary, 0, nullptr, "", nullptr, nullptr) == CL_SUCCESS);
    k = clCreateKernel(built, "all", &e);
    unset = clCreateKernel(built, "all", &e);
    with_ended = clCreateKernel(built, "fours", &e);
    fours = clCreateKernel(built, "fours", &e);
    of_binary = clCreateKernel(binary, "all", &e);
    REQUIRE(e == CL_SUCCESS);
    cl_mem ended = buffer(16);
    REQUIRE(clSetKernelArg(k, 0, sizeof m, &m) == CL_SUCCESS);
    REQUIRE(clSetKernelArg(k, 1, sizeof number, &number) == CL_SUCCESS);
    REQUIRE(clSetKernelArg(k, 2, 16, nullptr) == CL_SUCCESS);
    REQUIRE(clSetKernelArg(fours, 0, sizeof m, &m) == CL_SUCCESS);
    REQUIRE(clSetKernelArg(with_ended, 0, sizeof ended, &ended) == CL_SUCCESS);
    REQUIRE(clReleaseMemObject(ended) == CL_SUCCESS);
  }
  ~World() {
    for (cl_event x : {foreign, failed, done}) clReleaseEvent(x);
    for (cl_kernel x : {k, fours, unset, with_ended, of_binary}) clReleaseKernel(x);
    for (cl_program x : {built, unbuilt, broken, object, linked, binary}) clReleaseProgram(x);
    for (cl_mem x :
         {left, right, m, kernel_reads, kernel_writes, host_reads, host_writes, host_apart, foreign_m})
      clReleaseMemObject(x);
    clReleaseCommandQueue(foreign_queue);
    clReleaseContext(other);
  }

  cl_mem part(cl_mem of, cl_mem_flags flags, size_t origin, size_t size, cl_int* error) {
    const cl_buffer_region region{origin, size};
    return clCreateSubBuffer(of, flags, CL_BUFFER_CREATE_TYPE_REGION, &region, error);
  }
  cl_command_queue queue_with(cl_queue_properties what, cl_queue_properties value, cl_int* error) {
    const cl_queue_properties list[] = {what, value, 0};
    return clCreateCommandQueueWithProperties(context, device, list, error);
  }
  cl_context context_with(cl_context_properties what, const void* value, cl_int* error) {
    const cl_context_properties list[] = {what, reinterpret_cast<cl_context_properties>(value), 0};
    return clCreateContext(list, 1, &device, nullptr, nullptr, error);
  }
  cl_program from_code(size_t length, cl_int* error) {
    return clCreateProgramWithBinary(context, 1, &device, &length, &code_begin, nullptr, error);
  }
  cl_int launch(cl_kernel of, size_t global, size_t local = 0, size_t offset = 0) {
    return clEnqueueNDRangeKernel(queue, of, 1, &offset, &global, local ? &local : nullptr, 0, nullptr,
                                  nullptr);
  }
  struct Rect {
    size_t x = 0, other_x = 0, width = 4, height = 2, depth = 1;
    size_t row = 16, slice = 0, other_row = 16, other_slice = 0;
  };
  cl_int read_rect(cl_mem of, const Rect& r, void* to) {
    const size_t at[3] = {r.x, 0, 0}, host[3] = {r.other_x, 0, 0}, size[3] = {r.width, r.height, r.depth};
    return clEnqueueReadBufferRect(queue, of, CL_TRUE, at, host, size, r.row, r.slice, r.other_row,
                                   r.other_slice, to, 0, nullptr, nullptr);
  }
  cl_int write_rect(cl_mem of, const Rect& r, const void* from) {
    const size_t at[3] = {r.x, 0, 0}, host[3] = {r.other_x, 0, 0}, size[3] = {r.width, r.height, r.depth};
    return clEnqueueWriteBufferRect(queue, of, CL_TRUE, at, host, size, r.row, r.slice, r.other_row,
                                    r.other_slice, from, 0, nullptr, nullptr);
  }
  cl_int copy_rect(cl_mem from, cl_mem to, const Rect& r) {
    const size_t at[3] = {r.x, 0, 0}, target[3] = {r.other_x, 0, 0}, size[3] = {r.width, r.height, r.depth};
    return clEnqueueCopyBufferRect(queue, from, to, at, target, size, r.row, r.slice, r.other_row,
                                   r.other_slice, 0, nullptr, nullptr);
  }
};

// What fails to make an object gives none.
template <typename Made>
cl_int error_of(Made* made, const cl_int& e) {
  CHECK((made == nullptr) == (e != CL_SUCCESS));
  return e;
}

// A handle of another kind: the loader answers for null itself.
template <typename T, typename Other>
T as(Other* other) {
  return reinterpret_cast<T>(other);
}

// Queries of one object. `call` asks the right object, or something else.
struct Query {
  const char* function;
  cl_int wrong;   // for what is no such object
  cl_uint known;  // a name with an answer of at most 512 bytes
  cl_int (*call)(World& w, bool right, cl_uint what, size_t room, void* value);
};

// Commands with a wait list. `blocking`: they wait for their end.
struct Command {
  const char* function;
  bool blocking;
  cl_int (*call)(World& w, cl_command_queue q, cl_uint count, const cl_event* list);
};

struct Row {
  const char* function;
  cl_int expected;
  const char* why;
  cl_int (*call)(World& w);
};

// Asks with `get` for the member of the world; something else is an object of another kind.
template <auto get, auto member>
cl_int ask(World& w, bool right, cl_uint what, size_t room, void* value) {
  using Object = std::remove_reference_t<decltype(w.*member)>;
  void* other = w.queue;
  if constexpr (std::is_same_v<Object, cl_command_queue>) other = w.context;
  return get(right ? w.*member : as<Object>(other), what, room, value, nullptr);
}

const Query kQueries[] = {
    {"clGetPlatformInfo", CL_INVALID_PLATFORM, CL_PLATFORM_NAME, ask<clGetPlatformInfo, &World::platform>},
    {"clGetDeviceInfo", CL_INVALID_DEVICE, CL_DEVICE_NAME, ask<clGetDeviceInfo, &World::device>},
    {"clGetContextInfo", CL_INVALID_CONTEXT, CL_CONTEXT_DEVICES, ask<clGetContextInfo, &World::context>},
    {"clGetCommandQueueInfo", CL_INVALID_COMMAND_QUEUE, CL_QUEUE_CONTEXT,
     ask<clGetCommandQueueInfo, &World::queue>},
    {"clGetMemObjectInfo", CL_INVALID_MEM_OBJECT, CL_MEM_SIZE, ask<clGetMemObjectInfo, &World::m>},
    {"clGetProgramInfo", CL_INVALID_PROGRAM, CL_PROGRAM_KERNEL_NAMES, ask<clGetProgramInfo, &World::built>},
    {"clGetKernelInfo", CL_INVALID_KERNEL, CL_KERNEL_FUNCTION_NAME, ask<clGetKernelInfo, &World::k>},
    {"clGetEventInfo", CL_INVALID_EVENT, CL_EVENT_CONTEXT, ask<clGetEventInfo, &World::done>},
    {"clGetProgramBuildInfo", CL_INVALID_PROGRAM, CL_PROGRAM_BUILD_STATUS,
     [](World& w, bool right, cl_uint what, size_t room, void* value) {
       return clGetProgramBuildInfo(right ? w.built : as<cl_program>(w.context), w.device, what, room, value,
                                    nullptr);
     }},
    {"clGetKernelWorkGroupInfo", CL_INVALID_KERNEL, CL_KERNEL_WORK_GROUP_SIZE,
     [](World& w, bool right, cl_uint what, size_t room, void* value) {
       return clGetKernelWorkGroupInfo(right ? w.k : as<cl_kernel>(w.context), w.device, what, room, value,
                                       nullptr);
     }},
    {"clGetKernelArgInfo", CL_INVALID_KERNEL, CL_KERNEL_ARG_NAME,
     [](World& w, bool right, cl_uint what, size_t room, void* value) {
       return clGetKernelArgInfo(right ? w.k : as<cl_kernel>(w.context), 0, what, room, value, nullptr);
     }},
};

const Command kCommands[] = {
    {"clEnqueueReadBuffer", true,
     [](World& w, cl_command_queue q, cl_uint n, const cl_event* list) {
       return clEnqueueReadBuffer(q, w.m, CL_TRUE, 0, 8, w.room, n, list, nullptr);
     }},
    {"clEnqueueWriteBuffer", true,
     [](World& w, cl_command_queue q, cl_uint n, const cl_event* list) {
       return clEnqueueWriteBuffer(q, w.m, CL_TRUE, 0, 8, w.room, n, list, nullptr);
     }},
    {"clEnqueueReadBufferRect", true,
     [](World& w, cl_command_queue q, cl_uint n, const cl_event* list) {
       const size_t at[3] = {}, size[3] = {4, 2, 1};
       return clEnqueueReadBufferRect(q, w.m, CL_TRUE, at, at, size, 16, 0, 16, 0, w.room, n, list, nullptr);
     }},
    {"clEnqueueWriteBufferRect", true,
     [](World& w, cl_command_queue q, cl_uint n, const cl_event* list) {
       const size_t at[3] = {}, size[3] = {4, 2, 1};
       return clEnqueueWriteBufferRect(q, w.m, CL_TRUE, at, at, size, 16, 0, 16, 0, w.room, n, list, nullptr);
     }},
    {"clEnqueueCopyBuffer", false,
     [](World& w, cl_command_queue q, cl_uint n, const cl_event* list) {
       return clEnqueueCopyBuffer(q, w.m, w.kernel_reads, 0, 0, 8, n, list, nullptr);
     }},
    {"clEnqueueCopyBufferRect", false,
     [](World& w, cl_command_queue q, cl_uint n, const cl_event* list) {
       const size_t at[3] = {}, size[3] = {4, 2, 1};
       return clEnqueueCopyBufferRect(q, w.m, w.kernel_reads, at, at, size, 16, 0, 16, 0, n, list, nullptr);
     }},
    {"clEnqueueFillBuffer", false,
     [](World& w, cl_command_queue q, cl_uint n, const cl_event* list) {
       return clEnqueueFillBuffer(q, w.m, &w.number, 4, 0, 8, n, list, nullptr);
     }},
    {"clEnqueueMapBuffer", true,
     [](World& w, cl_command_queue q, cl_uint n, const cl_event* list) {
       cl_int e = 1;
       void* mapped = clEnqueueMapBuffer(q, w.m, CL_TRUE, CL_MAP_READ, 0, 8, n, list, nullptr, &e);
       CHECK((mapped == nullptr) == (e != CL_SUCCESS));
       if (mapped) clEnqueueUnmapMemObject(q, w.m, mapped, 0, nullptr, nullptr);
       return e;
     }},
    {"clEnqueueUnmapMemObject", false,
     [](World& w, cl_command_queue q, cl_uint n, const cl_event* list) {
       cl_int e;
       void* mapped = clEnqueueMapBuffer(w.queue, w.m, CL_TRUE, CL_MAP_READ, 0, 8, 0, nullptr, nullptr, &e);
       REQUIRE(mapped);
       const cl_int result = clEnqueueUnmapMemObject(q, w.m, mapped, n, list, nullptr);
       if (result) clEnqueueUnmapMemObject(w.queue, w.m, mapped, 0, nullptr, nullptr);
       return result;
     }},
    {"clEnqueueMigrateMemObjects", false,
     [](World& w, cl_command_queue q, cl_uint n, const cl_event* list) {
       return clEnqueueMigrateMemObjects(q, 1, &w.m, 0, n, list, nullptr);
     }},
    {"clEnqueueNDRangeKernel", false,
     [](World& w, cl_command_queue q, cl_uint n, const cl_event* list) {
       const size_t one = 1;
       return clEnqueueNDRangeKernel(q, w.k, 1, nullptr, &one, &one, n, list, nullptr);
     }},
    {"clEnqueueTask", false,
     [](World& w, cl_command_queue q, cl_uint n, const cl_event* list) {
       return clEnqueueTask(q, w.k, n, list, nullptr);
     }},
    {"clEnqueueNativeKernel", false,
     [](World&, cl_command_queue q, cl_uint n, const cl_event* list) {
       return clEnqueueNativeKernel(q, native, nullptr, 0, 0, nullptr, nullptr, n, list, nullptr);
     }},
    {"clEnqueueMarkerWithWaitList", false,
     [](World&, cl_command_queue q, cl_uint n, const cl_event* list) {
       return clEnqueueMarkerWithWaitList(q, n, list, nullptr);
     }},
    {"clEnqueueBarrierWithWaitList", false,
     [](World&, cl_command_queue q, cl_uint n, const cl_event* list) {
       return clEnqueueBarrierWithWaitList(q, n, list, nullptr);
     }},
};

const Row kRows[] = {
#define KC_RETURNS(name, expected, why, ...) \
  {#name, expected, why, []([[maybe_unused]] World& w) -> cl_int { return __VA_ARGS__; }},
#define KC_MAKES(name, expected, why, ...)                         \
  {#name, expected, why, []([[maybe_unused]] World& w) -> cl_int { \
     cl_int e = 1, *error = &e;                                    \
     return error_of(__VA_ARGS__, e);                              \
   }},
#include "tests/opencl_driver/errors.def"
#undef KC_RETURNS
#undef KC_MAKES
};

// Functions that cannot fail, and the one that the loader answers itself.
const std::set<std::string> kWithoutErrors = {"clGetPlatformIDs",
                                              "clUnloadCompiler",
                                              "clGetExtensionFunctionAddress",
                                              "clGetExtensionFunctionAddressForPlatform",
                                              "clSVMAlloc",
                                              "clSVMFree"};

}  // namespace

TEST_CASE("each function returns the errors of the specification") {
  World w;
  std::set<std::string> rows;
  for (const Row& row : kRows) {
    INFO(row.function << ": " << row.why);
    CHECK(row.call(w) == row.expected);
    rows.insert(row.function);
  }
  for (const Query& q : kQueries) {
    INFO(q.function);
    CHECK(q.call(w, true, q.known, sizeof w.room, w.room) == CL_SUCCESS);
    CHECK(q.call(w, true, q.known, 0, nullptr) == CL_SUCCESS);
    CHECK(q.call(w, true, q.known, 0, w.room) == CL_INVALID_VALUE);
    CHECK(q.call(w, true, 7, sizeof w.room, w.room) == CL_INVALID_VALUE);
    CHECK(q.call(w, false, q.known, sizeof w.room, w.room) == q.wrong);
    rows.insert(q.function);
  }
  for (const Command& c : kCommands) {
    INFO(c.function);
    CHECK(c.call(w, reinterpret_cast<cl_command_queue>(w.context), 0, nullptr) == CL_INVALID_COMMAND_QUEUE);
    CHECK(c.call(w, w.queue, 0, &w.done) == CL_INVALID_EVENT_WAIT_LIST);
    CHECK(c.call(w, w.queue, 1, nullptr) == CL_INVALID_EVENT_WAIT_LIST);
    CHECK(c.call(w, w.queue, 1, &w.no_event) == CL_INVALID_EVENT_WAIT_LIST);
    CHECK(c.call(w, w.queue, 1, &w.foreign) == CL_INVALID_CONTEXT);
    CHECK(c.call(w, w.queue, 1, &w.done) == CL_SUCCESS);
    if (c.blocking) CHECK(c.call(w, w.queue, 1, &w.failed) == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    rows.insert(c.function);
  }
  CHECK(clFinish(w.queue) == CL_SUCCESS);

  // No function of the driver's table is without a row.
  std::ifstream in(KC_SOURCE_DIR "/opencl/dispatch.cpp");
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const std::regex entry("\\.(cl\\w+) = ");
  std::set<std::string> table;
  for (std::sregex_iterator i(text.begin(), text.end(), entry), end; i != end; ++i) table.insert((*i)[1]);
  CHECK(table.size() > 100);
  for (const std::string& function : table) {
    INFO(function);
    CHECK(rows.contains(function) + kWithoutErrors.contains(function) == 1);
  }
}

TEST_CASE("functions without errors deny what is not there") {
  World w;
  CHECK_FALSE(clSVMAlloc(w.context, CL_MEM_READ_WRITE, 64, 0));
  clSVMFree(w.context, nullptr);
  CHECK_FALSE(clGetExtensionFunctionAddressForPlatform(w.platform, "clNone"));
  auto get = reinterpret_cast<cl_int (*)(cl_uint, cl_platform_id*, cl_uint*)>(
      clGetExtensionFunctionAddressForPlatform(w.platform, "clIcdGetPlatformIDsKHR"));
  REQUIRE(get);
  cl_platform_id platform = nullptr;
  cl_uint count = 0;
  CHECK(get(1, &platform, &count) == CL_SUCCESS);
  CHECK(count == 1);
  CHECK(platform == w.platform);
  CHECK(get(0, &platform, nullptr) == CL_INVALID_VALUE);
  CHECK(get(1, nullptr, nullptr) == CL_INVALID_VALUE);
}
