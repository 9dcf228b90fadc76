// Lanes part, so results are merged; a division has several results; addresses are pairs.
kernel void arms(global const float* in, global float* out) {
    int i = get_global_id(0);
    float x = in[i], y = in[i + 64], r = 1.0f;
    if (x > y) {
        r = x / y;
        if (r > 2.0f) r = r - in[(int)(y) & 63];
    } else {
        for (int k = 0; k < (int)x && k < 9; ++k) r = r * 1.5f + y;
    }
    out[i] = r + x;
    out[i + 64] = r - y;
}
