// N queens with a stack of masks for each work-item.
kernel void queens(global const uint* starts, global uint* solutions, int rows) {
    local uint columns[64][12], left[64][12], right[64][12], tries[64][12];
    int t = get_local_id(0), g = get_global_id(0), i = 0;
    uint mask = (1u << 12) - 1, total = 0;
    columns[t][0] = starts[g] & mask;
    left[t][0] = (starts[g] << 1) & mask;
    right[t][0] = (starts[g] & mask) >> 1;
    tries[t][0] = columns[t][0] | left[t][0] | right[t][0];
    while (i >= 0) {
        uint used = tries[t][i];
        if ((used & mask) == mask) {
            i--;
        } else {
            uint bit = (used + 1) & ~used;
            tries[t][i] = used | bit;
            if (bit & mask) {
                if (i + 1 == rows) {
                    total++;
                    i--;
                } else {
                    columns[t][i + 1] = columns[t][i] | bit;
                    left[t][i + 1] = (left[t][i] | bit) << 1;
                    right[t][i + 1] = (right[t][i] | bit) >> 1;
                    tries[t][i + 1] = columns[t][i + 1] | left[t][i + 1] | right[t][i + 1];
                    i++;
                }
            } else {
                i--;
            }
        }
    }
    solutions[g] = total;
}
