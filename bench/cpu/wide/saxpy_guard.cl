// A port from CUDA: more work-items than elements, and a guard.
__kernel void saxpy_guard(const int n, const float alpha, __global const float* x, __global float* y) {
    int i = get_group_id(0) * get_local_size(0) + get_local_id(0);
    if (i >= n) return;
    y[i] = alpha * x[i] + y[i];
}
