kernel void plain(global const float* in, global float* out) {
    int i = get_global_id(0);
    if (in[i] < 2.0f)
        out[i] = in[i];
    else
        out[i] = 2.0f;
}
