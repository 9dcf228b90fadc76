#define BLOCK_SIZE 256
export void pathfinder(uniform int iteration, uniform const int wall[], uniform const int src[], uniform int dst[],
                       uniform int cols, uniform int border, uniform int nx, uniform int ny, uniform int nz) {
    uniform int prev[BLOCK_SIZE];
    uniform int result[BLOCK_SIZE];
    const uniform int inner = BLOCK_SIZE - 2 * border;
    for (uniform int g = 0; g < nx / BLOCK_SIZE; g++) {
        const uniform int first = inner * g - border;
        const uniform int low = max(-first, 0);
        const uniform int high = min(cols - 1 - first, BLOCK_SIZE - 1);
        foreach (t = low ... high + 1) prev[t] = src[first + t];
        for (uniform int i = 0; i < iteration; i++) {
            const uniform int from = max(low, i + 1);
            const uniform int to = min(high, BLOCK_SIZE - i - 2);
            foreach (t = from ... to + 1)
                result[t] = min(min(prev[max(t - 1, low)], prev[t]), prev[min(t + 1, high)]) + wall[cols * i + first + t];
            if (i == iteration - 1) {
                foreach (t = from ... to + 1) dst[first + t] = result[t];
            } else {
                foreach (t = from ... to + 1) prev[t] = result[t];
            }
        }
    }
}
