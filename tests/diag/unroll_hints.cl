#define ROUNDS 4
#define OTHER ROUNDS
kernel void k(global int* p, int n) {
#pragma unroll
    for (int i = 0; i < 8; i++) p[i]++;
#pragma unroll OTHER
    while (p[0] < n) p[0]++;
#pragma unroll(2u)
    do p[1]--;
    while (p[1] > 0);
#pragma nounroll
    for (;;) break;
#pragma unroll n
    for (int i = 0; i < n; i++) p[i]++;
#pragma unroll 0
    for (int i = 0; i < n; i++) p[i]++;
#pragma unroll 2 3
    for (int i = 0; i < n; i++) p[i]++;
#pragma nounroll 2
    for (int i = 0; i < n; i++) p[i]++;
#pragma unroll 2
    p[0]++;
#pragma unroll
    __attribute__((opencl_unroll_hint)) for (int i = 0; i < n; i++) p[i]++;
    __attribute__((opencl_unroll_hint(ROUNDS * 2))) for (int i = 0; i < n; i++) p[i]++;
    __attribute__((opencl_unroll_hint(n))) for (int i = 0; i < n; i++) p[i]++;
    __attribute__((opencl_unroll_hint(0))) for (int i = 0; i < n; i++) p[i]++;
    __attribute__((opencl_unroll_hint(2, 3))) while (p[0] < n) p[0]++;
    __attribute__((vectorize)) while (p[0] < n) p[0]++;
    __attribute__((opencl_unroll_hint(2)));
}
