// The cosine transform of JPEG on blocks of 8 by 8, rows and then columns (Arai, Agui, Nakajima).
void dct1d(float* v, int stride) {
    float t0 = v[0] + v[7 * stride], t7 = v[0] - v[7 * stride];
    float t1 = v[stride] + v[6 * stride], t6 = v[stride] - v[6 * stride];
    float t2 = v[2 * stride] + v[5 * stride], t5 = v[2 * stride] - v[5 * stride];
    float t3 = v[3 * stride] + v[4 * stride], t4 = v[3 * stride] - v[4 * stride];
    float a = t0 + t3, d = t0 - t3, b = t1 + t2, c = t1 - t2;
    v[0] = a + b;
    v[4 * stride] = a - b;
    float z1 = (c + d) * 0.707106781f;
    v[2 * stride] = d + z1;
    v[6 * stride] = d - z1;
    a = t4 + t5;
    b = t5 + t6;
    c = t6 + t7;
    float z5 = (a - c) * 0.382683433f;
    float z2 = 0.541196100f * a + z5;
    float z4 = 1.306562965f * c + z5;
    float z3 = b * 0.707106781f;
    float z11 = t7 + z3, z13 = t7 - z3;
    v[5 * stride] = z13 + z2;
    v[3 * stride] = z13 - z2;
    v[stride] = z11 + z4;
    v[7 * stride] = z11 - z4;
}

__kernel void dct8x8(__global const float* in, __global float* out, int stride) {
    float block[64];
    int base = get_global_id(1) * 8 * stride + get_global_id(0) * 8;
    for (int y = 0; y < 8; y++)
        for (int x = 0; x < 8; x++) block[y * 8 + x] = in[base + y * stride + x];
    for (int y = 0; y < 8; y++) dct1d(block + 8 * y, 1);
    for (int x = 0; x < 8; x++) dct1d(&block[x], 8);
    for (int y = 0; y < 8; y++)
        for (int x = 0; x < 8; x++) out[base + y * stride + x] = block[y * 8 + x];
}
