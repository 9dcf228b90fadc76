// As programs for CPUs do it: a work-item makes a row of the product and adds to it in memory.
__kernel void matmul_ikj(__global const float* a, __global const float* b, __global float* c, int n) {
    const int i = get_global_id(0);
    for (int k = 0; k < n; k++)
        for (int j = 0; j < n; j++) c[i * n + j] += a[i * n + k] * b[k * n + j];
}
