// Sorts blocks of 512 numbers in local memory: a barrier in each round of two nested loops.
kernel __attribute__((reqd_work_group_size(256, 1, 1))) void bitonic(global uint* data) {
    local uint block[512];
    uint t = get_local_id(0);
    global uint* mine = data + get_group_id(0) * 512;
    block[t] = mine[t];
    block[t + 256] = mine[t + 256];
    for (uint size = 2; size <= 512; size *= 2) {
        for (uint stride = size / 2; stride > 0; stride /= 2) {
            barrier(CLK_LOCAL_MEM_FENCE);
            uint low = 2 * t - (t & (stride - 1));
            uint a = block[low], b = block[low + stride];
            bool up = (low & size) == 0;
            if ((a > b) == up) {
                block[low] = b;
                block[low + stride] = a;
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    mine[t] = block[t];
    mine[t + 256] = block[t + 256];
}
