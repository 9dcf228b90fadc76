// All of it: a tiled sum in which few branches are divergent.
kernel void mixed(global const int* in, global int* out, int width, int passes) {
    local int tile[64];
    int i = get_global_id(0), l = get_local_id(0), group = get_group_id(0), sum = 0, seen = 0, mode = passes & 3;
    for (int p = 0; p < passes; p++) {
        int first = (p * width) & 63;
        tile[l] = in[(first + l) & 63];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < width; k++) {
            int t = tile[k & 63];
            if (t & 1) {
                sum += t;
                if (mode == 1) sum ^= k;
                if (mode == 2 && k > 3) break;
            }
            if (t > l) seen++;
            if (group == (k & 1)) sum += seen;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        switch (mode) {
            case 0: mode = 1; break;
            case 1: mode = sum & 1 ? 2 : 3; break;
            default: mode = p & 3;
        }
        if (mode == 3) sum++;
    }
    int steps = 0;
    for (int x = sum & 15; x > 0; x -= 1 + (x & 1)) {
        if (steps & 1) seen++;
        steps++;
    }
    if (steps > width) seen = 0;
    if (passes > 5) seen += 2;
    out[i] = sum + seen;
}
