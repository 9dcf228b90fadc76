#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
typedef double real;

__kernel void dgemm_plain(__global const real* a, __global const real* b, __global real* c, int n, real alpha,
                          real beta) {
    int j = get_global_id(0);
    int i = get_global_id(1);
    if (i < n && j < n) {
        c[i * n + j] *= beta;
        int k;
        for (k = 0; k < n; k++) c[i * n + j] += alpha * a[i * n + k] * b[k * n + j];
    }
}
