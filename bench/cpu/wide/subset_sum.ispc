#define COUNT 12
export void subset_sum(uniform const int weights[], uniform int found[], uniform int target, uniform int nx,
                       uniform int ny, uniform int nz) {
    foreach (id = 0 ... nx) {
        int w[COUNT];
        int8 taken[COUNT];
        for (uniform int i = 0; i < COUNT; i++) w[i] = weights[id * COUNT + i];
        int depth = 0;
        int sum = 0;
        int steps = 0;
        int result = 0;
        bool back = false;
        while (true) {
            if (!back) {
                steps++;
                if (sum == target) {
                    for (int i = 0; i < depth; i++) result |= (int)taken[i] << i;
                    break;
                }
                if (depth == COUNT) {
                    back = true;
                } else {
                    const bool take = sum + w[depth] <= target;
                    taken[depth] = take ? (int8)1 : (int8)0;
                    if (take) sum += w[depth];
                    depth++;
                }
            } else {
                if (depth == 0) {
                    result = -steps;
                    break;
                }
                depth--;
                if (taken[depth] != 0) {
                    taken[depth] = 0;
                    sum -= w[depth];
                    depth++;
                    back = false;
                }
            }
        }
        found[id] = result;
    }
}

// One search after the other.
export void subset_sum_expert(uniform const int weights[], uniform int found[], uniform int target, uniform int nx,
                              uniform int ny, uniform int nz) {
    for (uniform int id = 0; id < nx; id++) {
        uniform const int* uniform w = weights + id * COUNT;
        uniform int taken = 0;
        uniform int depth = 0;
        uniform int sum = 0;
        uniform int steps = 0;
        uniform int result = 0;
        uniform bool done = false;
        while (!done) {
            steps++;
            if (sum == target) {
                result = taken & ((1 << depth) - 1);
                break;
            }
            if (depth < COUNT) {
                if (sum + w[depth] <= target) {
                    taken |= 1 << depth;
                    sum += w[depth];
                } else {
                    taken &= ~(1 << depth);
                }
                depth++;
                continue;
            }
            // Back to the last one that was taken.
            uniform int left = taken & ((1 << depth) - 1);
            if (left == 0) {
                result = -steps;
                done = true;
            } else {
                depth = 31 - count_leading_zeros(left);
                taken &= ~(1 << depth);
                sum -= w[depth];
                depth++;
            }
        }
        found[id] = result;
    }
}
