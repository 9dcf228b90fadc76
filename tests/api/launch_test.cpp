// SPDX-License-Identifier: Apache-2.0
// Sources, reflection, arguments and launches through the C++ interface, which uses the C interface.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <span>

#include "tests/api/support.h"

TEST_CASE("a kernel runs on every target") {
  const char* text =
      "kernel void saxpy(global const float* x, global float* y, float a, ulong n) {\n"
      "  size_t i = get_global_id(0); if (i < n) y[i] = a * x[i] + y[i];\n}\n";
  for (const std::string& target : targets()) {
    INFO(target);
    auto kernel = kernel_of(text, {.name = "saxpy", .target = target});
    CHECK(kernel.info().target == target);
    std::vector<float> x(1000), y(1000, 1.0f);
    std::iota(x.begin(), x.end(), 0.0f);
    // A double and an int are converted to the kernel's parameter types.
    require_done(kernel.launch(kernelc::range(1024).local(64), std::as_const(x), y, 2.0, 990));
    for (size_t i = 0; i < y.size(); ++i)
      REQUIRE(y[i] == (i < 990 ? 2.0f * static_cast<float>(i) + 1.0f : 1.0f));
  }
}

TEST_CASE("integers for floats are rounded once") {
  auto kernel = kernel_of("kernel void k(global float* out, float x, float y) { out[0] = x; out[1] = y; }");
  std::vector<float> out(2);
  // half-way between two floats when converted to double first, but not as an integer
  const int64_t above = 0x1000001000000001;
  require_done(kernel.launch(kernelc::range(1), out, above, static_cast<uint64_t>(above) << 3));
  CHECK(out[0] == 0x1.000002p60f);
  CHECK(out[1] == 0x1.000002p63f);
}

TEST_CASE("local memory, groups, offsets and dimensions") {
  const char* text =
      "kernel void turn(global uint* out, local uint* tile) {\n"
      "  size_t l = get_local_id(0), n = get_local_size(0), row = get_global_id(1);\n"
      "  tile[l] = (uint)(1000 * row + get_global_id(0)); barrier(CLK_LOCAL_MEM_FENCE);\n"
      "  out[(row - get_global_offset(1)) * get_global_size(0) + get_global_id(0) - get_global_offset(0)]\n"
      "      = tile[n - 1 - l];\n}\n";
  for (const std::string& target : targets()) {
    INFO(target);
    auto kernel = kernel_of(text, {.name = "", .target = target});
    CHECK(kernel.info().has_barriers);
    for (uint64_t local : {4, 16, 64}) {  // rows shorter than waves, and longer
      std::vector<uint32_t> out(128 * 3);
      require_done(kernel.launch(kernelc::range(128, 3).local(local, 1).offset(5, 7).threads(1), out,
                                 kernelc::local<uint32_t>(local)));
      for (uint64_t row = 0; row < 3; ++row)
        for (uint64_t i = 0; i < 128; ++i)
          REQUIRE(out[row * 128 + i] == 1000 * (row + 7) + 5 + i / local * local + local - 1 - i % local);
    }
  }
}

TEST_CASE("sources have files, folders and macros") {
  namespace fs = std::filesystem;
  fs::path folder = fs::temp_directory_path() / ("kernelc_api_" + std::to_string(::getpid()));
  fs::create_directories(folder / "include");
  std::ofstream(folder / "include/two.h") << "#define TWO 2\n";
  std::ofstream(folder / "k.cl")
      << "#include <two.h>\nkernel void k(global int* p) { p[0] = TWO * FACTOR; }\n";
  kernelc::compile_options options;
  options.include_dirs = {(folder / "include").string()};
  options.defines = {"FACTOR=21"};
  auto program = kernelc::program::from_file((folder / "k.cl").string(), options);
  REQUIRE(program);
  auto kernel = program->kernel();
  REQUIRE(kernel);
  int answer = 0;
  require_done(kernel->launch(kernelc::range(1), kernelc::buffer(&answer, 1)));
  CHECK(answer == 42);
  std::string missing = complaint(kernelc::program::from_file((folder / "none.cl").string()));
  CHECK(missing == "3: cannot read '" + (folder / "none.cl").string() + "': No such file or directory");
  fs::remove_all(folder);
}

TEST_CASE("IR is a source, too") {
  auto kernel = kernel_of(
      "thread func @k(%0: ptr<global> out of i32) kernel {\nb0:\n  %1: i64 = global_id dim=0\n"
      "  %2: ptr<global> = ptr_add %0, %1, scale=4\n  store %2, 7:i32\n  ret\n}\n");
  std::vector<int> out(3);
  require_done(kernel.launch(kernelc::range(out.size()), out));
  CHECK(out == std::vector<int>{7, 7, 7});
}

TEST_CASE("vectors and structures are given as their bytes") {
  struct Box {
    char tag;
    int list[2];
    double scale;
  };
  struct alignas(16) Float4 {
    float x, y, z, w;
  };
  auto program = program_of(
      "struct box { char tag; int list[2]; double scale; };\n"
      "kernel void k(float4 v, global double* out, struct box b, short3 s, int n) {\n"
      "  int i = get_global_id(0);\n"
      "  out[i] = v[i] + b.tag + b.list[1] * b.scale + s.z + n;\n}\n");
  auto kernel = program.kernel();
  REQUIRE(kernel);
  CHECK(kernel->info().parameter_count == 5);
  auto parameters = kernel->parameters();
  REQUIRE(parameters.size() == 5);
  CHECK((parameters[0].name == "v" && parameters[0].kind == KC_PARAMETER_BYTES &&
         parameters[0].element_size == 16));
  CHECK((parameters[2].name == "b" && parameters[2].kind == KC_PARAMETER_BYTES &&
         parameters[2].element_size == 24));
  CHECK((parameters[3].name == "s" && parameters[3].element_size == 8));
  CHECK((parameters[4].name == "n" && parameters[4].kind == KC_PARAMETER_SCALAR));
  Float4 v{1.5f, 2.5f, 3.5f, 4.5f};
  Box b{-3, {7, 20}, 0.5};
  const short s[4] = {1, 2, 100, 0};
  std::vector<double> out(4);
  require_done(kernel->launch(kernelc::range(out.size()), kernelc::value(v), out, kernelc::value(b),
                              kernelc::value(s), 1000));
  CHECK(out == std::vector<double>{1108.5, 1109.5, 1110.5, 1111.5});
  auto short_box = kernel->launch(kernelc::range(out.size()), kernelc::value(v), out, kernelc::value(v),
                                  kernelc::value(s), 1000);
  REQUIRE(!short_box);
  CHECK(short_box.error().message() ==
        "argument 3 'b' is a vector or structure of 24 bytes, and was given the bytes "
        "of a vector or structure of 16 bytes");
  auto number =
      kernel->launch(kernelc::range(out.size()), 1, out, kernelc::value(b), kernelc::value(s), 1000);
  REQUIRE(!number);
  CHECK(number.error().message() ==
        "argument 1 'v' is a vector or structure of 16 bytes, and was given a number");
}

TEST_CASE("programs and kernels say what they are") {
  auto program = program_of(
      "struct pair { int a, b; };\n"
      "kernel __attribute__((reqd_work_group_size(8, 4, 1))) void first(global const float* restrict in,\n"
      "  constant ushort* table, global struct pair* pairs, local double* scratch, uchar flag, long n) {\n"
      "  local int tile[32]; tile[get_local_id(0)] = table[flag]; barrier(CLK_LOCAL_MEM_FENCE);\n"
      "  scratch[0] = in[n]; pairs[0].a = tile[0];\n}\n"
      "kernel void second(global int* p) { if (p[0] < 0) throw 1; p[0] = 2; }\n");
  CHECK(program.kernel_names() == std::vector<std::string>{"first", "second"});
  auto first = program.kernel({.name = "first"});
  REQUIRE(first);
  kc_kernel_info info = first->info();
  CHECK(std::string(info.name) == "first");
  CHECK(info.parameter_count == 6);
  CHECK((info.required_local[0] == 8 && info.required_local[1] == 4 && info.required_local[2] == 1));
  CHECK(info.has_barriers);
  CHECK(info.can_trap);  // a barrier can be divergent
  CHECK(info.local_bytes >= 128);
  auto parameters = first->parameters();
  REQUIRE(parameters.size() == 6);
  auto is = [&](size_t i, const char* name, kc_parameter_kind kind, kc_type type, size_t size) {
    const kernelc::parameter& p = parameters[i];
    INFO(p.name);
    CHECK((p.name == name && p.kind == kind && p.type == type && p.element_size == size));
  };
  is(0, "in", KC_PARAMETER_BUFFER, KC_FLOAT, 4);
  is(1, "table", KC_PARAMETER_BUFFER, KC_USHORT, 2);
  is(2, "pairs", KC_PARAMETER_BUFFER, KC_UNTYPED, 8);
  is(3, "scratch", KC_PARAMETER_LOCAL, KC_DOUBLE, 8);
  is(4, "flag", KC_PARAMETER_SCALAR, KC_UCHAR, 1);
  is(5, "n", KC_PARAMETER_SCALAR, KC_LONG, 8);
  CHECK((parameters[0].is_const && parameters[0].is_restrict && !parameters[0].is_constant_memory));
  CHECK(parameters[1].is_constant_memory);
  auto second = program.kernel({.name = "second"});
  REQUIRE(second);
  CHECK(second->info().can_trap);
  CHECK(!second->info().has_barriers);
}

TEST_CASE("kernels outlive their program") {
  auto kernel = [] { return kernel_of("kernel void k(global int* p) { p[get_global_id(0)] = 3; }"); }();
  std::vector<int> out(5);
  require_done(kernel.prepare(kernelc::range(out.size())));
  require_done(kernel.launch(kernelc::range(out.size()), out));
  CHECK(out == std::vector<int>(5, 3));
}

TEST_CASE("traps name the included file") {
  const char* text =
      "void refuse(int x);\nkernel void k(global int* p) {\n  refuse(p[0]);\n  if (p[0] == 8) throw "
      "1.0f;\n}\n"
      "#line 40 \"inner.h\"\nvoid refuse(int x) { if (x == 7) throw x; }\n";
  for (const std::string& target : targets()) {
    INFO(target);
    auto kernel = kernel_of(text, {.name = "", .target = target});
    std::vector<int> p{7};
    auto done = kernel.launch(kernelc::range(1), p);
    REQUIRE(!done);
    const kernelc::trap* trap = done.error().trap();
    REQUIRE(trap);
    REQUIRE(trap->file);
    CHECK(std::string(trap->file) == "inner.h");
    CHECK(trap->line == 40);
    CHECK(done.error().message() ==
          "kernel 'k': uncaught throw of int 7 at line 40 of inner.h by work-item (0, 0, 0); 1 work-item "
          "trapped");
    char again[200];
    kc_trap_text(kernel.raw(), trap, again, sizeof again);
    CHECK(again == done.error().message());
    p[0] = 8;
    done = kernel.launch(kernelc::range(1), p);
    REQUIRE(!done);
    REQUIRE(done.error().trap());
    CHECK(!done.error().trap()->file);
    CHECK(done.error().trap()->line == 4);
  }
}

TEST_CASE("traps say who, what and where, and what others wrote is there") {
  const char* text =
      "kernel void k(global int* p) {\n  int i = (int)get_global_id(0);\n"
      "  if (i % 10 == 7) throw (short)(i * -2);\n  p[i] = i;\n}\n";
  for (const std::string& target : targets()) {
    INFO(target);
    auto kernel = kernel_of(text, {.name = "", .target = target});
    std::vector<int> p(100, -1);
    auto done = kernel.launch(kernelc::range(p.size()), p);
    REQUIRE(!done);
    CHECK(done.error().status() == KC_TRAPPED);
    const kernelc::trap* trap = done.error().trap();
    REQUIRE(trap);
    CHECK(std::string(trap->kind) == "uncaught throw");
    CHECK(std::string(trap->type) == "short");
    CHECK((trap->line == 3 && static_cast<int16_t>(trap->value) == -14 && trap->global_id[0] == 7 &&
           trap->count == 10));
    CHECK(done.error().message() ==
          "kernel 'k': uncaught throw of short -14 at line 3 by work-item (7, 0, 0); 10 work-items trapped");
    char short_text[12];
    CHECK(kc_trap_text(kernel.raw(), trap, short_text, sizeof short_text) == done.error().message().size());
    CHECK(std::string(short_text) == "kernel 'k':");
    for (int i = 0; i < 100; ++i) REQUIRE(p[static_cast<size_t>(i)] == (i % 10 == 7 ? -1 : i));
  }
}

TEST_CASE("divergent barriers and the interpreter's bounds are traps") {
  const char* divergent =
      "kernel void k(global int* p) { if (get_local_id(0) < 3) barrier(CLK_LOCAL_MEM_FENCE); p[0] = 1; }\n";
  for (const std::string& target : targets()) {
    INFO(target);
    auto kernel = kernel_of(divergent, {.name = "", .target = target});
    int out = 0;
    auto done = kernel.launch(kernelc::range(64).local(32), kernelc::buffer(&out, 1));
    // The others end, which counts as arriving: no trap.
    require_done(done);
  }
  const char* twice =
      "kernel void k(global int* p) {\n  if (get_local_id(0) < 3) { barrier(1); p[0] = 1; }\n"
      "  else { barrier(1); p[1] = 2; }\n}\n";
  for (const std::string& target : targets()) {
    INFO(target);
    auto kernel = kernel_of(twice, {.name = "", .target = target});
    std::vector<int> out(2);
    auto done = kernel.launch(kernelc::range(32).local(32), out);
    REQUIRE(!done);
    REQUIRE(done.error().trap());
    CHECK(std::string(done.error().trap()->kind) == "divergent barrier");
  }
  for (const std::string& target : targets()) {
    INFO(target);
    auto checked = kernel_of("kernel void k(global int* p) { p[get_global_id(0)] = 1; }",
                             {.name = "", .target = target, .check_bounds = true});
    std::vector<int> small(60);
    auto done = checked.launch(kernelc::range(64), small);
    REQUIRE(!done);
    REQUIRE(done.error().trap());
    CHECK(std::string(done.error().trap()->kind) == "out of bounds");
    CHECK(std::string(done.error().trap()->type) == "store of 4 bytes");
    CHECK((done.error().trap()->global_id[0] == 60 && done.error().trap()->count == 4));
    CHECK(std::accumulate(small.begin(), small.end(), 0) == 60);
  }
}

TEST_CASE("buffers beyond 2 GiB, and small ones in the same kernel") {
  constexpr size_t kBytes = size_t{3} << 30;
  // Only the pages that are written are committed.
  void* all =
      ::mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  REQUIRE(all != MAP_FAILED);
  auto* bytes = static_cast<unsigned char*>(all);
  for (const std::string& target : targets()) {
    INFO(target);
    auto kernel = kernel_of(
        "kernel void k(global uchar* p, ulong step) { size_t i = get_global_id(0);\n"
        "  p[(i + 1) * step] = (uchar)(i + 1); }",
        {.name = "", .target = target, .width = target == "interp" ? 0u : 8u});
    std::vector<unsigned char> small(40);
    require_done(kernel.launch(kernelc::range(4), small, 9));
    require_done(kernel.launch(kernelc::range(4), kernelc::buffer(bytes, kBytes), 700'000'000));
    require_done(kernel.launch(kernelc::range(4), small, 9));
    for (size_t i = 1; i <= 4; ++i) {
      CHECK(bytes[i * 700'000'000] == i);
      CHECK(small[i * 9] == i);
      bytes[i * 700'000'000] = 0;
    }
  }
  ::munmap(all, kBytes);
}

TEST_CASE("buffers that overlap, and others in the same kernel") {
  const char* text =
      "kernel void k(global const int* in, global int* out, int n) {\n"
      "  int i = get_global_id(0);\n  for (int k = 0; k < n; k++) out[i] += in[k];\n}\n";
  for (const std::string& target : targets()) {
    INFO(target);
    auto kernel = kernel_of(text, {.name = "", .target = target});
    for (int again = 0; again < 2; ++again) {
      std::vector<int> in{1, 10, 100}, out{5};
      require_done(kernel.launch(kernelc::range(1), in, out, 3));
      CHECK(out == std::vector{116});
      require_done(kernel.launch(kernelc::range(1), in, in, 3));
      CHECK(in == std::vector{112, 10, 100});
      in[0] = 1;
      require_done(
          kernel.launch(kernelc::range(1), std::span<const int>(in), std::span(in).subspan(1, 1), 3));
      CHECK(in == std::vector{1, 122, 100});
    }
  }
}

TEST_CASE("what work-items print comes in the order of their ids") {
  struct Taken {
    std::string text;
    uint64_t lost = 0;
    int calls = 0;
  };
  auto take = [](void* user, const char* text, size_t size, uint64_t lost) {
    auto& taken = *static_cast<Taken*>(user);
    taken.text.append(text, size);
    taken.lost += lost;
    ++taken.calls;
  };
  const char* text =
      "kernel void k(global const int* in) { int i = get_global_id(0);\n"
      "  if (in[i]) printf(\"%d:\", i);\n"
      "  for (int j = 0; j < in[i]; j++) printf(\" %d\", j);\n"
      "  if (in[i]) printf(\"\\n\"); }\n";
  for (const std::string& target : targets()) {
    INFO(target);
    Taken taken;
    kernelc::kernel_options options{.name = "", .target = target};
    options.print = take;
    options.print_user = &taken;
    auto kernel = kernel_of(text, options);
    CHECK(kernel.info().parameter_count == 1);
    std::vector<int> in(1000);
    in[1] = 2, in[64] = 1, in[999] = 3;
    for (int launch = 0; launch < 2; ++launch) {
      taken = {};
      require_done(kernel.launch(kernelc::range(in.size()).local(8), in));
      CHECK(taken.text == "1: 0 1\n64: 0\n999: 0 1 2\n");
      CHECK(taken.calls == 1);
      CHECK(taken.lost == 0);
    }
    std::fill(in.begin(), in.end(), 0);  // nothing printed, no callback
    taken = {};
    require_done(kernel.launch(kernelc::range(in.size()), in));
    CHECK(taken.calls == 0);
    options.printf_bytes = 64;
    taken = {};
    require_done(kernel_of("kernel void k() { for (int i = 0; i < 5; i++) printf(\"%d\", i); }", options)
                     .launch(kernelc::range(1)));
    CHECK(taken.text == "01");
    CHECK(taken.lost == 3);
  }
}
