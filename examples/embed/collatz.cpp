// A C++ program that compiles a kernel from a file, prints its parameters, and runs it. Nothing here throws:
// what can fail gives a result, and a trap in the kernel is one kind of error.
#include <algorithm>
#include <iostream>
#include <kernelc/kernelc.hpp>
#include <string>
#include <vector>

static int fail(const kernelc::error& error) {
  std::cerr << error.message() << '\n';
  return 1;
}

static void describe(const kernelc::kernel& kernel) {
  std::cout << kernel.info().name << " on " << kernel.info().target << " takes";
  for (const kernelc::parameter& p : kernel.parameters())
    std::cout << ' ' << p.name << (p.kind == KC_PARAMETER_BUFFER ? "[]" : "") << " of " << p.element_size
              << " bytes";
  std::cout << '\n';
}

int main(int argc, char** argv) {
  kernelc::compile_options options;
  options.defines = {std::string("LIMIT=") + (argc > 2 ? argv[2] : "0xffffffffu")};
  auto program = kernelc::program::from_file(argc > 1 ? argv[1] : "collatz.cl", options);
  if (!program) return fail(program.error());
  auto kernel = program->kernel();
  if (!kernel) return fail(kernel.error());
  describe(*kernel);

  std::vector<std::uint32_t> steps(100'000);
  auto done = kernel->launch(kernelc::range(steps.size()), steps, 1);
  auto longest = std::max_element(steps.begin(), steps.end());
  std::cout << longest - steps.begin() + 1 << " takes " << *longest << " steps\n";
  if (done) return 0;

  // Work-items that trapped ended; all others are done.
  if (const kernelc::trap* trap = done.error().trap())
    std::cout << trap->count << " numbers were given up, the first is " << trap->global_id[0] + 1 << ", at "
              << trap->value << '\n';
  return fail(done.error());
}
