/* A C program with a kernel in its text: work-groups add up their part of an array in local memory. */
#include <kernelc/kernelc.h>
#include <stdio.h>
#include <stdlib.h>

enum { VALUES = 4096, GROUP = 256 };

static const char text[] =
    "kernel void sums(global const uint* values, global uint* result, local uint* part) {\n"
    "  size_t i = get_local_id(0);\n"
    "  part[i] = values[get_global_id(0)];\n"
    "  for (size_t n = get_local_size(0) / 2; n > 0; n /= 2) {\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (i < n) part[i] += part[i + n];\n"
    "  }\n"
    "  if (i == 0) result[get_group_id(0)] = part[0];\n"
    "}\n";

static kc_error* error;

static void check(kc_status status) {
  if (status == KC_OK) return;
  fprintf(stderr, "%s\n", kc_error_message(error));
  kc_error_free(error);
  exit(1);
}

int main(void) {
  static uint32_t values[VALUES], result[VALUES / GROUP];
  kc_source source;
  kc_program* program;
  kc_kernel* kernel;
  kc_range range = kc_range_1d(VALUES);
  const kc_argument arguments[] = {kc_const_buffer(values, sizeof values), kc_buffer(result, sizeof result),
                                   kc_local(GROUP * sizeof(uint32_t))};
  uint32_t i, all = 0;

  kc_source_init(&source);
  source.text = text;
  source.file = "sums.c";
  check(kc_program_load(&source, &program, &error));
  check(kc_kernel_create(program, NULL, &kernel, &error));
  kc_program_free(program);

  for (i = 0; i < VALUES; ++i) values[i] = i;
  range.local[0] = GROUP;
  check(kc_launch(kernel, &range, arguments, 3, NULL, &error));
  kc_kernel_free(kernel);
  for (i = 0; i < VALUES / GROUP; ++i) all += result[i];
  printf("%u groups of %u add up to %u\n", (unsigned)(VALUES / GROUP), (unsigned)GROUP, (unsigned)all);
  return all == VALUES * (VALUES - 1u) / 2 ? 0 : 1;
}
