// A comparison with a NaN is false, and so is the comparison the other way round.
kernel void k(global const float* in, global float* out) {
    int i = get_global_id(0);
    float x = in[i] / in[i];  // 0 / 0
    if (x < 2.0f)
        out[i] = 1.0f;
    else
        out[i] = 2.0f;
}
