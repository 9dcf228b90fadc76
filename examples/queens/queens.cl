// In how many ways n queens can stand on a board without a threat. Each work-item places two queens by its
// id and counts the solutions with these, with a private stack in place of calls; the group adds up.
#define MOST 16

kernel void queens(global int* solutions, int n) {
    local int sums[256];
    int id = get_global_id(0), lane = get_local_id(0), total = 0;
    int a = id / n, b = id % n;
    if (id < n * n && a != b && abs(a - b) != 1) {
        uint columns[MOST], left[MOST], right[MOST], open[MOST], full = (1u << n) - 1;
        columns[0] = (1u << a) | (1u << b);
        left[0] = (1u << a) << 2 | (1u << b) << 1;
        right[0] = (1u << a) >> 2 | (1u << b) >> 1;
        open[0] = full & ~(columns[0] | left[0] | right[0]);
        int i = 0, rows = n - 2;
        while (i >= 0) {
            if (open[i] == 0) {
                i--;
            } else {
                uint queen = open[i] & -open[i];
                open[i] ^= queen;
                if (i + 1 == rows) {
                    total++;
                    i--;
                } else {
                    columns[i + 1] = columns[i] | queen;
                    left[i + 1] = (left[i] | queen) << 1;
                    right[i + 1] = (right[i] | queen) >> 1;
                    open[i + 1] = full & ~(columns[i + 1] | left[i + 1] | right[i + 1]);
                    i++;
                }
            }
        }
    }
    sums[lane] = total;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int n = get_local_size(0) / 2; n > 0; n /= 2) {
        if (lane < n)
            sums[lane] += sums[lane + n];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lane == 0)
        solutions[get_group_id(0)] = sums[0];
}
