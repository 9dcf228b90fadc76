// The same as hotspot.script, as a program: the two grids are swapped, which moves pointers only.
#include <cstdio>
#include <kernelc/kernelc.hpp>

int main(int argc, char** argv) {
  const int size = 64;
  auto fail = [](const kernelc::error& e) {
    std::fprintf(stderr, "%.*s\n", static_cast<int>(e.message().size()), e.message().data());
    return 1;
  };
  auto program = kernelc::program::from_file(argc > 1 ? argv[1] : "hotspot.cl");
  if (!program) return fail(program.error());
  auto named = [&](const char* name) {
    kernelc::kernel_options options;
    options.name = name;
    return program->kernel(options);
  };
  auto warm = named("warm"), step = named("step"), compare = named("compare");
  if (!warm) return fail(warm.error());
  if (!step) return fail(step.error());
  if (!compare) return fail(compare.error());

  const kernelc::range grid = kernelc::range(size, size).local(8, 8);
  std::vector<float> heat(size * size), next(size * size);
  if (auto done = warm->launch(grid, heat, size); !done) return fail(done.error());
  int steps = 0, change = 1000000;
  while (change > 20000 && steps < 2000) {
    for (int i = 0; i < 50; ++i, ++steps) {
      if (auto done = step->launch(grid, heat, next, size, 0.2); !done) return fail(done.error());
      std::swap(heat, next);
    }
    change = 0;
    auto done =
        compare->launch(kernelc::range(size * size).local(64), heat, next, kernelc::buffer(&change, 1));
    if (!done) return fail(done.error());
  }
  std::printf("%d\n%.7g\n", steps, static_cast<double>(heat[2080]));
}
