/* Launches the kernels of kernels.cl in parts, and writes what they leave to files that the test compares with the
 * interpreter's. */
#include <stdio.h>

#include "kernels.h"

static uint32_t words[4096], more[4096];
static uint64_t longs[4096];

static int save(const char* name, const void* bytes, size_t size) {
  FILE* file = fopen(name, "wb");
  int ok = file != NULL && fwrite(bytes, 1, size, file) == size;
  if (file != NULL) ok = fclose(file) == 0 && ok;
  return ok;
}

#define CHECK(condition)                                      \
  do {                                                        \
    if (!(condition)) {                                       \
      fprintf(stderr, "line %d: %s\n", __LINE__, #condition); \
      return 1;                                               \
    }                                                         \
  } while (0)

int main(void) {
  kernelc_range line = {1, {1000, 0, 0}, {0, 0, 0}, {0, 0, 0}, 0, 0};
  kernelc_range box = {3, {16, 8, 4}, {0, 0, 0}, {0, 0, 0}, 0, 0};
  kernelc_range three = {1, {4096, 0, 0}, {0, 0, 0}, {0, 0, 0}, 0, 3};
  kernelc_range uneven_range = {1, {256, 0, 0}, {128, 0, 0}, {0, 0, 0}, 0, 0};
  kernelc_range wrong = {1, {1000, 0, 0}, {3, 0, 0}, {0, 0, 0}, 0, 0};
  kernelc_range nothing = {2, {0, 5, 0}, {0, 0, 0}, {0, 0, 0}, 0, 0};
  kernelc_trap trap;
  /* A structure with the layout of the kernel's: the vector is aligned to 16 bytes. */
  static const struct {
    char sign;
    char gap[15];
    float weights[4];
  } settings = {-1, {0}, {0.5f, 1.5f, 2.5f, 3.5f}};
  static const int32_t step[2] = {10, 1000};
  static float numbers[1000];
  uint32_t i;
  CHECK(constants(&line, words, 2.5, 200, NULL) == KERNELC_OK);
  CHECK(save("constants.bin", words, 4000));
  for (i = 0; i < 4096; ++i) more[i] = i;
  for (three.part = 0; three.part < 3; ++three.part) CHECK(arrays(&three, more, longs, &trap) == KERNELC_OK);
  CHECK(trap.count == 0 && trap.kind == NULL);
  CHECK(save("arrays.bin", longs, sizeof longs));
  CHECK(reverse(&box, more, &trap) == KERNELC_OK);
  CHECK(save("reverse.bin", more, 512 * 4));
  CHECK(weighted(&line, &settings, step, numbers, &trap) == KERNELC_OK);
  CHECK(save("weighted.bin", numbers, sizeof numbers));
  memset(words, 0, sizeof words);
  CHECK(refuse(&uneven_range, words, &trap) == KERNELC_TRAPPED);
  CHECK(strcmp(trap.file, "refuse.h") == 0 && trap.line == 5 && trap.column == 40);
  CHECK(uneven(&uneven_range, words, &trap) == KERNELC_TRAPPED);
  CHECK(trap.file == NULL);
  CHECK(strcmp(trap.kind, "divergent barrier") == 0 && trap.global_id[0] == 0 && trap.line == 29 &&
        trap.count == 256);
  CHECK(constants(&wrong, words, 0, 0, &trap) == KERNELC_BAD_RANGE);
  CHECK(reverse(&line, more, &trap) == KERNELC_BAD_RANGE);
  CHECK(constants(&nothing, words, 0, 0, &trap) == KERNELC_OK);
  wrong.local[0] = 0;
  wrong.part = wrong.parts = 2;
  CHECK(constants(&wrong, words, 0, 0, &trap) == KERNELC_BAD_RANGE);
  wrong.part = 0;
  wrong.offset[0] = 0x80000000u - 32;
  CHECK(constants(&wrong, words, 0, 0, &trap) == KERNELC_BAD_RANGE);
  wrong.offset[0] = 0;
  wrong.global[0] = wrong.local[0] = 2048;
  CHECK(constants(&wrong, words, 0, 0, &trap) == KERNELC_BAD_RANGE);
  return 0;
}
