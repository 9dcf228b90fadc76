// What issue slots are counted on: loops whose arms have much in common, and not all of it in a row.
kernel void score(global const int* in, global int* out, int rounds) {
    int i = get_global_id(0);
    int a = in[i], b = in[i + 64];
    for (int r = 0; r < rounds; ++r) {
        if (a & 1) {
            a = in[(a + r) & 127] * 5 + b;
            a = a ^ (a >> 3);
            b = b * 3 + (a & 255);
            out[i * 4] = a + b;
        } else {
            a = in[(b - r) & 127] * 7 - b;
            b = b * 3 + (a & 127);
            a = a ^ (a >> 5);
            out[i * 4 + 1] = a - b;
        }
        if (b > a) {
            int t = in[(a ^ b) & 63];
            b = t * t + 11;
            a += 3;
        } else {
            int t = in[(a + b) & 63];
            a = t * t + 13;
        }
        a &= 0xfffff;
        b &= 0xffff;
    }
    out[i * 4 + 2] = a;
    out[i * 4 + 3] = b;
}
