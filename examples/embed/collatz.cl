#ifndef LIMIT
#define LIMIT 0xffffffffu
#endif

// How many steps each number takes to reach 1. A number that would exceed the limit is given up.
uint next(uint n) {
  if (n % 2 == 0) return n / 2;
  if (n > LIMIT / 3) throw n;
  return 3 * n + 1;
}

kernel void collatz(global uint* steps, uint first) {
  size_t i = get_global_id(0);
  uint n = first + (uint)i, count = 0;
  while (n != 1) {
    n = next(n);
    ++count;
  }
  steps[i] = count;
}
