// SB2: a branch without an else in each side. SB3: several of them, with code in between.
kernel void regions(global const int* in, global int* out) {
    local int cells[256];
    int t = get_local_id(0), g = get_global_id(0);
    cells[t] = in[g];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int round = 0; round < 16; round++) {
        int a = t, b = (t & ~31) | ((t + round) & 31), x = cells[a];
        if (t & 1) {
            if (x > in[b]) out[g] = x * 3 + round;
        } else {
            if (x < in[b ^ 1]) out[g] = x * 5 + round;
        }
    }
}
kernel void regions_r(global const int* in, global int* out) {
    local int cells[256];
    int t = get_local_id(0), g = get_global_id(0);
    cells[t] = in[g];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int round = 0; round < 16; round++) {
        int a = t, b = (t & ~31) | ((t + round) & 31), x = cells[a];
        if (t & 1) {
            if (x > in[b]) out[g] = x * 3 + round;
        } else {
            if ((x ^ in[b ^ 1]) & 4) out[g] = (x - round) & 0xff;
        }
    }
}
kernel void several(global const int* in, global int* out) {
    int t = get_local_id(0), g = get_global_id(0);
    int sum = 0;
    for (int round = 0; round < 16; round++) {
        int at = (g & ~31) | ((t * 5 + round) & 31), x = in[at];
        if (t & 1) {
            if (x & 4) sum += in[at ^ 1] * 3;
            x = in[(at & ~7) | (x & 7)];
            if (x > round) sum ^= in[at ^ 2] + x;
            out[g] = sum;
        } else {
            if (x & 8) sum += in[at ^ 3] * 7;
            x = in[(at & ~7) | (x & 3)];
            if (x < round) sum ^= in[at ^ 4] + x;
            out[g] = sum + 1;
        }
    }
}
kernel void several_r(global const int* in, global int* out) {
    int t = get_local_id(0), g = get_global_id(0);
    int sum = 0;
    for (int round = 0; round < 16; round++) {
        int at = (g & ~31) | ((t * 5 + round) & 31), x = in[at];
        if (t & 1) {
            if (x & 4) sum += in[at ^ 1] * 3;
            x = in[(at & ~7) | (x & 7)];
            if (x > round) sum ^= in[at ^ 2] + x;
            out[g] = sum;
        } else {
            if (x & 8) sum -= in[at ^ 3] | 7;
            x = in[(at & ~7) | (x & 3)];
            if (x < round) sum = (sum << 1) - in[at ^ 4];
            out[g] = sum + 1;
        }
    }
}
