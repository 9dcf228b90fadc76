__kernel void gauss_fan2(__global float* m, __global float* a, __global float* b, const int size, const int t) {
    int globalIdx = get_global_id(0);
    int globalIdy = get_global_id(1);
    if (globalIdx < size - 1 - t && globalIdy < size - t) {
        a[size * (globalIdx + 1 + t) + (globalIdy + t)] -=
            m[size * (globalIdx + 1 + t) + t] * a[size * t + (globalIdy + t)];
        if (globalIdy == 0) {
            b[globalIdx + 1 + t] -= m[size * (globalIdx + 1 + t) + (globalIdy + t)] * b[t];
        }
    }
}
