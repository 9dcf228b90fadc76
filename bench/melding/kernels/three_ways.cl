// SB4: three sides, by a chain of conditions.
kernel void three_ways(global const int* in, global int* out) {
    int t = get_local_id(0), g = get_global_id(0), way = t % 3;
    int sum = 0;
    for (int round = 0; round < 16; round++) {
        int at = (g & ~31) | ((t * 5 + round) & 31);
        if (way == 0) {
            int x = in[at ^ 1];
            sum += in[(at & ~15) | (x & 15)] * 3;
            out[g] = sum ^ x;
        } else if (way == 1) {
            int x = in[at ^ 2];
            sum += in[(at & ~15) | (x & 7)] * 5;
            out[g] = sum ^ x;
        } else {
            int x = in[at ^ 4];
            sum += in[(at & ~15) | (x & 3)] * 7;
            out[g] = sum ^ x;
        }
    }
}
kernel void three_ways_r(global const int* in, global int* out) {
    int t = get_local_id(0), g = get_global_id(0), way = t % 3;
    int sum = 0;
    for (int round = 0; round < 16; round++) {
        int at = (g & ~31) | ((t * 5 + round) & 31);
        if (way == 0) {
            int x = in[at ^ 1];
            sum += in[(at & ~15) | (x & 15)] * 3;
            out[g] = sum ^ x;
        } else if (way == 1) {
            int x = in[at ^ 2];
            sum -= in[(at & ~15) | (x & 7)] & 5;
            out[g] = sum + x;
        } else {
            int x = in[at ^ 4];
            sum ^= in[(at & ~15) | (x & 3)] << 2;
            out[g] = sum - x;
        }
    }
}
