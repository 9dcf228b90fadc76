kernel void histogram_global(global const float* values, global int* bins, int n) {
    int i = get_global_id(0);
    if (i >= n) return;
    int b = (int)(values[i] * values[i] * 64.0f);
    atomic_add(&bins[clamp(b, 0, 63)], 1);
}
