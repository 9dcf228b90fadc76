// SPDX-License-Identifier: Apache-2.0
// Every possible error of a caller has a status and a message.
#include "tests/api/support.h"

using kernelc::range;

TEST_CASE("errors of a source are diagnostics with their place") {
  kernelc::compile_options options;
  options.file = "mine.cl";
  auto bad = kernelc::program::from_text("kernel void k(global int* p) {\n  p[0] = q;\n}\n", options);
  REQUIRE(!bad);
  CHECK(bad.error().status() == KC_SOURCE_ERROR);
  CHECK(bad.error().message().substr(0, 24) == "mine.cl:2:10: error: use");
  CHECK(bad.error().trap() == nullptr);
  auto warned = program_of("kernel void k(global int* p) { int unused; p[0] = 1; }");
  CHECK(warned.diagnostics().find("warning: ") != std::string_view::npos);
  options.warnings = {"error"};
  CHECK(!kernelc::program::from_text("kernel void k(global int* p) { int unused; p[0] = 1; }", options));
  options.no_warnings = true;
  options.warnings.clear();
  CHECK(program_of("kernel void k(global int* p) { int unused; p[0] = 1; }", options).diagnostics().empty());
  CHECK(complaint(kernelc::program::from_text("thread func @k() kernel {\nb0:\n  nothing\n}\n"))
            .substr(0, 20) == "1: kernel.cl:3:3: er");
}

TEST_CASE("kernels are chosen by name") {
  auto two = program_of("kernel void a() {} kernel void b() {}");
  CHECK(complaint(two.kernel()) == "2: the program has several kernels, name one: a, b");
  CHECK(complaint(two.kernel({.name = "c"})) == "2: the program has no kernel 'c' (it has: a, b)");
  CHECK(complaint(program_of("int f(void) { return 1; }").kernel()) == "2: the program has no kernel");
  CHECK(complaint(two.kernel({.name = "a", .target = "z80"})) ==
        "2: unknown target 'z80' (cpu, avx2, avx512, gfx900, gfx906, gfx908, gfx90a, hip, vulkan, interp)");
  CHECK(complaint(two.kernel({.name = "a", .target = "avx2", .width = 7})) ==
        "2: the width must be 1, 8, 16, 32 or 64");
  CHECK(complaint(
            program_of("wave func @w(%0: mask hidden) kernel width=8 {\nb0 mask %0:\n  ret\n}\n").kernel()) ==
        "2: only thread IR can be run, 'w' is in the wave dialect");
}

TEST_CASE("ranges are checked") {
  auto kernel =
      kernel_of("kernel __attribute__((reqd_work_group_size(16, 1, 1))) void k(global int* p) { p[0] = 1; }");
  int p = 0;
  auto launch = [&](const range& r) { return complaint(kernel.launch(r, kernelc::buffer(&p, 1))); };
  CHECK(launch(range(100)) == "2: global size 100 is not a multiple of local size 16 in dimension 0");
  CHECK(launch(range(64).local(8)) == "2: kernel 'k' requires a local size of 16,1,1");
  auto any = kernel_of("kernel void k() {}");
  CHECK(complaint(any.launch(range(1u << 20).local(2048))) ==
        "2: a work-group of 2048x1x1 work-items is too large (at most 1024)");
  CHECK(complaint(any.launch(range(uint64_t{1} << 31))) == "2: ids of dimension 0 reach 2^31");
  CHECK(complaint(any.launch(range(64).offset((uint64_t{1} << 31) - 10))) ==
        "2: ids of dimension 0 reach 2^31");
  CHECK(complaint(any.launch(range(1 << 16, 1 << 16, 2))) == "2: more than 2^32 work-items");
  CHECK(complaint(any.launch(range(1, ~uint64_t{0}, ~uint64_t{0}))) == "2: ids of dimension 1 reach 2^31");
  CHECK(any.launch(range(0)));
  CHECK(any.launch(range(4, 0, 3)));
  kc_range four = kc_range_1d(4);
  four.dims = 4;
  CHECK(kc_launch(any.raw(), &four, nullptr, 0, nullptr, nullptr) == KC_USAGE_ERROR);
}

TEST_CASE("arguments are checked") {
  auto kernel = kernel_of(
      "kernel void k(global float* out, global const int* in, local int* tile, uchar small, float number, "
      "long "
      "wide) {\n  out[0] = in[0] + tile[0] + small + number + wide;\n}\n");
  std::vector<float> out(4);
  std::vector<double> doubles(4);
  std::vector<int> in(4);
  const std::vector<float> fixed(4);
  auto tile = kernelc::local<int>(4);
  auto launch = [&](auto&&... arguments) { return complaint(kernel.launch(range(1), arguments...)); };
  CHECK(launch(out, in, tile, 255, 1, -1) == "no error");
  CHECK(launch(out, in) == "2: kernel 'k' takes 6 arguments, not 2");
  CHECK(launch(fixed, in, tile, 1, 1, 1) ==
        "2: argument 1 'out' is written by the kernel; the buffer is const");
  CHECK(launch(doubles, in, tile, 1, 1, 1) ==
        "2: argument 1 'out' points to float, the buffer has elements of type double");
  CHECK(launch(out, out, tile, 1, 1, 1) ==
        "2: argument 2 'in' points to int, the buffer has elements of type float");
  CHECK(launch(1, in, tile, 1, 1, 1) == "2: argument 1 'out' is a buffer, and was given a number");
  CHECK(launch(out, in, in, 1, 1, 1) == "2: argument 3 'tile' is local memory, and was given a buffer");
  CHECK(launch(out, in, tile, tile, 1, 1) == "2: argument 4 'small' is uchar, and was given local memory");
  CHECK(launch(out, in, tile, 256, 1, 1) == "2: argument 4 'small' is uchar and cannot hold 256");
  CHECK(launch(out, in, tile, -1, 1, 1) == "2: argument 4 'small' is uchar and cannot hold -1");
  CHECK(launch(out, in, tile, 1.5, 1, 1) == "2: argument 4 'small' is uchar, not a floating-point number");
  CHECK(launch(out, in, tile, 1, 1, ~uint64_t{0}) ==
        "2: argument 6 'wide' is long and cannot hold 18446744073709551615");
  CHECK(launch(out, in, kernelc::local(size_t{1} << 29), 1, 1, 1) ==
        "2: argument 3 'tile': more than 256 MiB of local memory");
  auto* crooked = reinterpret_cast<unsigned char*>(out.data()) + 1;
  CHECK(launch(kernelc::buffer(crooked, 8), in, tile, 1, 1, 1)
            .find("is not a multiple of 4, the size of float") != std::string::npos);
  CHECK(launch(kernelc::buffer(static_cast<float*>(nullptr), 8), in, tile, 1, 1, 1) ==
        "2: argument 1 'out': a null pointer to 32 bytes");
}

TEST_CASE("the interpreter's limits end a launch") {
  auto kernel = kernel_of("kernel void k(global int* p) { while (p[0] == 0) p[1]++; }",
                          {.name = "", .target = "interp", .max_steps = 1000});
  std::vector<int> p(2);
  CHECK(complaint(kernel.launch(range(1), p)).substr(0, 3) == "7: ");
  auto strict = kernel_of("kernel void k(global int* p) { p[5] = 1; }", {.name = "", .target = "interp"});
  CHECK(complaint(strict.launch(range(1), p)).find("outside every buffer") != std::string::npos);
}

TEST_CASE("null pointers and structures that nobody initialised have a defined result") {
  CHECK(std::string(kc_program_diagnostics(nullptr)).empty());
  CHECK(kc_program_kernel_count(nullptr) == 0);
  CHECK(kc_program_kernel_name(nullptr, 0) == nullptr);
  char text[8] = "before";
  CHECK(kc_trap_text(nullptr, nullptr, text, sizeof text) == 0);
  CHECK(std::string(text).empty());
  auto kernel = kernel_of("kernel void k(global int* p) { p[0] = 1; }", {.name = "", .target = "interp"});
  kc_trap trap{};
  CHECK(kc_trap_text(kernel.raw(), &trap, nullptr, 8) == 0);
  kc_source source{};
  kc_program* program = nullptr;
  CHECK(kc_program_load(&source, &program, nullptr) == KC_USAGE_ERROR);
  kc_kernel_info info{};
  CHECK(kc_kernel_describe(kernel.raw(), &info) == KC_USAGE_ERROR);
  kc_parameter parameter{};
  CHECK(kc_kernel_parameter(kernel.raw(), 0, &parameter) == KC_USAGE_ERROR);
  kc_range range{};
  CHECK(kc_prepare(kernel.raw(), &range, nullptr) == KC_USAGE_ERROR);
  range = kc_range_1d(1);
  int p = 0;
  kc_argument argument = kc_buffer(&p, sizeof p);
  kc_error* error = nullptr;
  CHECK(kc_launch(kernel.raw(), &range, &argument, 1, &trap, &error) == KC_USAGE_ERROR);
  CHECK(std::string(kc_error_message(error)).find("struct_size") != std::string::npos);
  CHECK(p == 0);
  kc_error_free(error);
}

TEST_CASE("handles and structures that are missing or from other versions") {
  kc_error* error = nullptr;
  kc_program* program = nullptr;
  CHECK(kc_program_load(nullptr, &program, &error) == KC_USAGE_ERROR);
  CHECK(std::string(kc_error_message(error)) == "a null pointer for the source or the program");
  kc_error_free(error);
  CHECK(kc_kernel_describe(nullptr, nullptr) == KC_USAGE_ERROR);
  CHECK(kc_kernel_parameter(nullptr, 0, nullptr) == KC_USAGE_ERROR);
  kc_source source;
  kc_source_init(&source);
  CHECK(kc_program_load(&source, &program, nullptr) == KC_USAGE_ERROR);
  // A caller with an older structure: everything after `text` has its default.
  source.text = "kernel void k() {}", source.define_count = 3;
  source.struct_size = offsetof(kc_source, length);
  REQUIRE(kc_program_load(&source, &program, nullptr) == KC_OK);
  kc_program_free(program);
  source.struct_size = sizeof source;
  CHECK(kc_program_load(&source, &program, &error) == KC_USAGE_ERROR);
  CHECK(std::string(kc_error_message(error)) == "define 1 is a null pointer");
  kc_error_free(error);
  kc_error_free(nullptr), kc_program_free(nullptr), kc_kernel_free(nullptr);
  CHECK(kernelc::version() == kc_version());
}
