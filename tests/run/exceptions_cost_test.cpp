// SPDX-License-Identifier: Apache-2.0
// An exception that is never thrown costs as much as a flag and a jump: at most 2 % of the instructions.
#include <catch2/catch.hpp>

#include "frontend/frontend.h"
#include "host/compile.h"
#include "passes/analysis/frontiers.h"
#include "passes/restructure/reconverge.h"
#include "sim/interpreter/wave_interpreter.h"
#include "sim/warp/warp_simulator.h"

using namespace kc;

namespace {

struct Pair {
  const char* name;
  const char* thrown;
  const char* jumped;
};

constexpr Pair kPairs[] = {
    {"a helper that throws, called in a loop",
     R"(int digit(int c) {
    if (c < 0) throw 7;
    return c & 15;
}
kernel void k(global const int* in, global int* out) {
    int i = get_global_id(0), sum = 0;
    try {
        for (int j = 0; j < 1 + (i & 7); j++) sum = sum * 10 + digit(in[(i + j) & 63]);
    } catch (int e) {
        sum = -e;
    }
    out[i] = sum;
})",
     R"(kernel void k(global const int* in, global int* out) {
    int i = get_global_id(0), sum = 0, error = 0;
    for (int j = 0; j < 1 + (i & 7); j++) {
        int c = in[(i + j) & 63];
        if (c < 0) {
            error = 7;
            goto caught;
        }
        sum = sum * 10 + (c & 15);
    }
    goto done;
caught:
    sum = -error;
done:
    out[i] = sum;
})"},
    {"two kinds out of a loop that work-items leave one by one",
     R"(kernel void k(global const int* in, global int* out) {
    int i = get_global_id(0), n = in[i & 63] + 1, steps = 0;
    try {
        try {
            while (n != 1) {
                if (n <= 0) throw n;
                if (steps > 1000) throw 1.0f;
                n = n % 2 == 0 ? n / 2 : 3 * n + 1;
                steps++;
            }
        } catch (float f) {
            steps = -2;
        }
        out[i] = steps;
    } catch (int e) {
        out[i] = e;
    }
})",
     R"(kernel void k(global const int* in, global int* out) {
    int i = get_global_id(0), n = in[i & 63] + 1, steps = 0, e = 0;
    float f = 0;
    while (n != 1) {
        if (n <= 0) {
            e = n;
            goto negative;
        }
        if (steps > 1000) {
            f = 1.0f;
            goto endless;
        }
        n = n % 2 == 0 ? n / 2 : 3 * n + 1;
        steps++;
    }
    goto counted;
endless:
    steps = -2;
counted:
    out[i] = steps;
    return;
negative:
    out[i] = e;
})"},
    {"throws on both sides of a branch, and a handler that throws again",
     R"(kernel void k(global const int* in, global int* out) {
    int i = get_global_id(0), x = in[i & 63], r = 0;
    try {
        try {
            if (x & 1) {
                for (int j = 0; j < x; j++) r += in[j & 63];
                if (r < 0) throw r;
            } else {
                r = x / 2;
                if (r > 4000) throw r + 1;
                r += in[r & 63];
            }
            r *= 3;
        } catch (int e) {
            if (e > 0) throw;
            r = e;
        }
        out[i] = r;
    } catch (int e) {
        out[i] = e + 5;
    }
})",
     R"(kernel void k(global const int* in, global int* out) {
    int i = get_global_id(0), x = in[i & 63], r = 0, e = 0;
    if (x & 1) {
        for (int j = 0; j < x; j++) r += in[j & 63];
        if (r < 0) {
            e = r;
            goto inner;
        }
    } else {
        r = x / 2;
        if (r > 4000) {
            e = r + 1;
            goto inner;
        }
        r += in[r & 63];
    }
    r *= 3;
    goto stored;
inner:
    if (e > 0) goto outer;
    r = e;
stored:
    out[i] = r;
    return;
outer:
    out[i] = e + 5;
})"},
};

struct Costs {
  uint64_t stack = 0, reconverged = 0, masks = 0;
  std::vector<int32_t> out;
};

class Launch {
 public:
  Launch() : out(256, 0) {
    for (int32_t i = 0; i < 64; ++i) in.push_back(i * 37 % 101);
    spec.global[0] = 256, spec.local[0] = 64;
    for (auto* list : {&in, &out}) {
      arguments.push_back(reinterpret_cast<uint64_t>(list->data()));
      memory.push_back({arguments.back(), list->size() * sizeof(int32_t)});
    }
  }
  std::vector<int32_t> in, out;
  LaunchSpec spec;
  std::vector<uint64_t> arguments;
  std::vector<MemoryRange> memory;
};

uint64_t in_warps(const Function& f, WarpScheme scheme, std::vector<int32_t>& out) {
  Launch launch;
  const Frontiers frontiers(f);
  auto r = WarpSimulator(f, {frontiers.position, frontiers.top})
               .run(launch.spec, launch.arguments, {.memory = launch.memory, .scheme = scheme});
  INFO(r.message);
  REQUIRE(r.ok());
  out = launch.out;
  return r.statistics.dynamic_instructions;
}

Costs costs_of(const char* source) {
  FrontendResult compiled = compile_source(source, {});
  INFO(compiled.diagnostics);
  REQUIRE(compiled.module);
  auto thread = optimise(*compiled.module->functions.back());
  Costs costs;
  costs.stack = in_warps(*thread, WarpScheme::TfStack, costs.out);
  auto wave = make_wave(*thread, interpreter_target(), {.width = 32});
  Launch launch;
  auto r = run_waves(*wave, launch.spec, launch.arguments, {.memory = launch.memory});
  REQUIRE(r.ok());
  CHECK(launch.out == costs.out);
  costs.masks = r.steps;
  reconverge(*thread);
  std::vector<int32_t> out;
  costs.reconverged = in_warps(*thread, WarpScheme::Ipdom, out);
  CHECK(out == costs.out);
  return costs;
}

}  // namespace

TEST_CASE("exceptions that nobody throws cost what flags and jumps do") {
  for (const Pair& pair : kPairs) {
    INFO(pair.name);
    Costs thrown = costs_of(pair.thrown), jumped = costs_of(pair.jumped);
    CHECK(thrown.out == jumped.out);
    CHECK(static_cast<double>(thrown.stack) == Approx(jumped.stack).epsilon(0.02));
    CHECK(static_cast<double>(thrown.reconverged) == Approx(jumped.reconverged).epsilon(0.02));
    CHECK(static_cast<double>(thrown.masks) == Approx(jumped.masks).epsilon(0.02));
  }
}
