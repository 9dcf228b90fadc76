// SB1: both sides are one block, over local memory. The second kernel does other things on one side.
kernel void diamond(global const int* in, global int* out) {
    local int cells[256];
    int t = get_local_id(0), g = get_global_id(0);
    cells[t] = in[g];
    barrier(CLK_LOCAL_MEM_FENCE);
    int sum = 0;
    for (int round = 0; round < 16; round++) {
        int at = (t * 7 + round) & (get_local_size(0) - 1);
        if (cells[at] & 1) {
            int x = cells[(at + 3) & 31];
            sum += (x * 3 + round) ^ t;
            out[g] = sum * x;
        } else {
            int y = cells[(at + 5) & 31];
            sum += (y * 5 + round) ^ t;
            out[g] = sum * y;
        }
    }
}
kernel void diamond_r(global const int* in, global int* out) {
    local int cells[256];
    int t = get_local_id(0), g = get_global_id(0);
    cells[t] = in[g];
    barrier(CLK_LOCAL_MEM_FENCE);
    int sum = 0;
    for (int round = 0; round < 16; round++) {
        int at = (t * 7 + round) & (get_local_size(0) - 1);
        if (cells[at] & 1) {
            int x = cells[(at + 3) & 31];
            sum += (x * 3 + round) ^ t;
            out[g] = sum * x;
        } else {
            int y = cells[(at + 5) & 31];
            sum -= (y | 5) & (round << 2);
            out[g] = sum - y;
        }
    }
}
