// Square groups of 8 x 8 and 16 x 16, with tiles in local memory.
#define SGEMM(SIDE)                                                                                        \
    kernel void sgemm_##SIDE(global const float* a, global const float* b, global float* c, int n) {       \
        local float mine[SIDE][SIDE], theirs[SIDE][SIDE];                                                  \
        const int lx = get_local_id(0), ly = get_local_id(1), x = get_global_id(0), y = get_global_id(1);  \
        float sum = 0.0f;                                                                                  \
        for (int from = 0; from < n; from += SIDE) {                                                       \
            mine[ly][lx] = a[y * n + from + lx];                                                           \
            theirs[ly][lx] = b[(from + ly) * n + x];                                                       \
            barrier(CLK_LOCAL_MEM_FENCE);                                                                  \
            for (int k = 0; k < SIDE; k++) sum += mine[ly][k] * theirs[k][lx];                             \
            barrier(CLK_LOCAL_MEM_FENCE);                                                                  \
        }                                                                                                  \
        c[y * n + x] = sum;                                                                                \
    }
SGEMM(8)
SGEMM(16)

// One step of heat flow; the tile has a border of one, which the group's edges load.
#define HEAT(SIDE)                                                                                         \
    kernel void heat_##SIDE(global const float* in, global const float* power, global float* out, int n) { \
        local float tile[SIDE + 2][SIDE + 2];                                                              \
        const int lx = get_local_id(0) + 1, ly = get_local_id(1) + 1;                                      \
        const int x = get_global_id(0), y = get_global_id(1);                                              \
        tile[ly][lx] = in[y * n + x];                                                                      \
        if (lx == 1) tile[ly][0] = in[y * n + max(x - 1, 0)];                                              \
        if (lx == SIDE) tile[ly][SIDE + 1] = in[y * n + min(x + 1, n - 1)];                                \
        if (ly == 1) tile[0][lx] = in[max(y - 1, 0) * n + x];                                              \
        if (ly == SIDE) tile[SIDE + 1][lx] = in[min(y + 1, n - 1) * n + x];                                \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                      \
        const float here = tile[ly][lx];                                                                   \
        const float flow = tile[ly][lx - 1] + tile[ly][lx + 1] + tile[ly - 1][lx] + tile[ly + 1][lx];      \
        out[y * n + x] = here + 0.1f * (flow - 4.0f * here + power[y * n + x]);                            \
    }
HEAT(8)
HEAT(16)

// The inner blocks of an LU decomposition by blocks: each less the product of its row's and column's blocks.
#define LUD(SIDE)                                                                                          \
    kernel void lud_##SIDE(global float* m, int n, int offset) {                                           \
        local float row[SIDE][SIDE], column[SIDE][SIDE];                                                   \
        const int lx = get_local_id(0), ly = get_local_id(1);                                              \
        const int x = offset + SIDE + get_global_id(0), y = offset + SIDE + get_global_id(1);              \
        row[ly][lx] = m[(offset + ly) * n + x];                                                            \
        column[ly][lx] = m[y * n + offset + lx];                                                           \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                      \
        float sum = 0.0f;                                                                                  \
        for (int k = 0; k < SIDE; k++) sum += column[ly][k] * row[k][lx];                                  \
        m[y * n + x] -= sum;                                                                               \
    }
LUD(8)
LUD(16)

// Without local memory, but by groups: sums of blocks.
kernel void blur_8(global const float* in, global float* out, int n) {
    const int x = get_group_id(0) * get_local_size(0) + get_local_id(0);
    const int y = get_group_id(1) * get_local_size(1) + get_local_id(1);
    float sum = 0.0f;
    for (int dy = 0; dy < 3; dy++)
        for (int dx = 0; dx < 3; dx++) sum += in[(y + dy) * (n + 2) + x + dx];
    out[y * n + x] = sum * (1.0f / 9.0f);
}
