// Cheapest ways down a grid, several rows in one launch; the groups overlap.
#define BLOCK_SIZE 256
#define IN_RANGE(x, min, max) ((x) >= (min) && (x) <= (max))
#define MIN(a, b) ((a) <= (b) ? (a) : (b))

__kernel void pathfinder(int iteration, __global const int* wall, __global const int* src, __global int* dst, int cols,
                         int border) {
    __local int prev[BLOCK_SIZE];
    __local int result[BLOCK_SIZE];
    int bx = get_group_id(0);
    int tx = get_local_id(0);
    int small_block_cols = BLOCK_SIZE - 2 * border;
    int blkX = small_block_cols * bx - border;
    int blkXmax = blkX + BLOCK_SIZE - 1;
    int xidx = blkX + tx;
    int validXmin = (blkX < 0) ? -blkX : 0;
    int validXmax = (blkXmax > cols - 1) ? BLOCK_SIZE - 1 - (blkXmax - cols + 1) : BLOCK_SIZE - 1;
    int W = tx - 1;
    int E = tx + 1;
    W = (W < validXmin) ? validXmin : W;
    E = (E > validXmax) ? validXmax : E;
    bool isValid = IN_RANGE(tx, validXmin, validXmax);
    if (IN_RANGE(xidx, 0, cols - 1)) prev[tx] = src[xidx];
    barrier(CLK_LOCAL_MEM_FENCE);
    bool computed = false;
    for (int i = 0; i < iteration; i++) {
        computed = false;
        if (IN_RANGE(tx, i + 1, BLOCK_SIZE - i - 2) && isValid) {
            computed = true;
            int left = prev[W];
            int up = prev[tx];
            int right = prev[E];
            int shortest = MIN(left, up);
            shortest = MIN(shortest, right);
            int index = cols * i + xidx;
            result[tx] = shortest + wall[index];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (i == iteration - 1) break;
        if (computed) prev[tx] = result[tx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (computed) dst[xidx] = result[tx];
}
