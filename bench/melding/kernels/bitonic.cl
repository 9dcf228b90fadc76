// Bitonic sort in local memory, with a direction for each half.
kernel void bitonic(global int* data) {
    local int cells[256];
    int t = get_local_id(0), n = get_local_size(0);
    cells[t] = data[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 2; k <= n; k *= 2)
        for (int j = k / 2; j > 0; j /= 2) {
            int other = t ^ j;
            if (other > t) {
                if ((t & k) == 0) {
                    if (cells[t] > cells[other]) {
                        int swap = cells[t];
                        cells[t] = cells[other];
                        cells[other] = swap;
                    }
                } else {
                    if (cells[t] < cells[other]) {
                        int swap = cells[t];
                        cells[t] = cells[other];
                        cells[other] = swap;
                    }
                }
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    data[get_global_id(0)] = cells[t];
}
