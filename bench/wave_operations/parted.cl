// Loops of the whole wave right behind a branch and a loop at which the wave parts: no mask has a part in them.
kernel void parted(global const float* in, global float* out, float least, int n) {
    size_t i = get_global_id(0);
    float x = in[i];
    if (x < least) out[i] = least;
    for (int k = 0; k < n; k++) x = fma(x, x, least);
    while (x > 1.0f) x *= 0.5f;
    for (int k = 0; k < n; k++) x = fma(x, x, x);
    out[i + get_global_size(0)] = x;
}
