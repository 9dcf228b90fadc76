// The same search as bfs.script, as a program: kernels are compiled once, buffers are its own vectors.
#include <cstdio>
#include <kernelc/kernelc.hpp>

int main(int argc, char** argv) {
  const int nodes = 10000;
  auto fail = [](const kernelc::error& e) {
    std::fprintf(stderr, "%.*s\n", static_cast<int>(e.message().size()), e.message().data());
    return 1;
  };
  auto program = kernelc::program::from_file(argc > 1 ? argv[1] : "bfs.cl");
  if (!program) return fail(program.error());
  kernelc::kernel_options of_make, of_expand;
  of_make.name = "make_graph";
  of_expand.name = "expand";
  auto make = program->kernel(of_make), expand = program->kernel(of_expand);
  if (!make) return fail(make.error());
  if (!expand) return fail(expand.error());

  const kernelc::range items = kernelc::range((nodes + 1 + 63) / 64 * 64).local(64);
  std::vector<int> starts(nodes + 1), edges(nodes * 3), levels(nodes, -1);
  if (auto done = make->launch(items, starts, edges, nodes); !done) return fail(done.error());
  levels[0] = 0;
  int reached = 0, level = 0;
  for (int found = 1; found != 0; ++level) {
    reached += found;
    found = 0;
    auto done = expand->launch(items, starts, edges, levels, kernelc::buffer(&found, 1), level, nodes);
    if (!done) return fail(done.error());
  }
  std::printf("%d\n%d\n", reached, level);
}
