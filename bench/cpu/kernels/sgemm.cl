// C = A * B, one element for each work-item: a broadcast times a row in each round.
kernel void sgemm(global const float* a, global const float* b, global float* c, int n) {
    int x = get_global_id(0), y = get_global_id(1);
    float sum = 0.0f;
    for (int k = 0; k < n; k++) sum += a[y * n + k] * b[k * n + x];
    c[y * n + x] = sum;
}
