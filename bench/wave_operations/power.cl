// A loop that every work-item runs the same number of times: no mask has a part in it.
kernel void power(global const float* restrict x, int n, global float* restrict y) {
    int i = get_global_id(0);
    float base = x[i], product = 1.0f;
    for (int k = 0; k < n; k++) product *= base;
    y[i] = product;
}
