/* A kernel in a C program, compiled ahead of time:
 *
 *   kernelc histogram.cl --target=cpu -o histogram.o --header histogram.h
 *   cc main.c histogram.o -o main && ./main
 *
 * The object holds code for AVX2 and for AVX-512; the program takes what its processor has. */
#include <stdio.h>

#include "histogram.h"

#define VALUES 4096
#define BINS 16

int main(void) {
  static uint32_t values[VALUES], result[BINS];
  kernelc_range range = {1, {VALUES, 0, 0}, {256, 0, 0}, {0, 0, 0}, 0, 0};
  kernelc_trap trap;
  uint32_t i, sum = 0;
  int status;
  for (i = 0; i < VALUES; ++i) values[i] = i * i % 17;
  status = histogram(&range, values, BINS, BINS * sizeof(uint32_t), result, &trap);
  for (i = 0; i < BINS; ++i) printf("%u: %u\n", i, result[i]);
  for (i = 0; i < BINS; ++i) sum += result[i];
  printf("%u of %u values counted\n", sum, VALUES);
  if (status == KERNELC_TRAPPED)
    printf("%s of %s %u at line %u, work-item %u, and %u more\n", trap.kind, trap.type, (unsigned)trap.value,
           trap.line, (unsigned)trap.global_id[0], (unsigned)trap.count - 1);
  else if (status != KERNELC_OK)
    printf("histogram: error %d\n", status);
  return status == KERNELC_OK || status == KERNELC_TRAPPED ? 0 : 1;
}
