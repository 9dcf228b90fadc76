#define RADIUS 8
#define GROUP 128

__kernel void convolve_rows(__global const float* src, __global float* dst, __constant float* weights, int w) {
    __local float tile[GROUP + 2 * RADIUS];
    const int lx = get_local_id(0), x = get_global_id(0), y = get_global_id(1);
    __global const float* row = src + y * w;
    tile[lx + RADIUS] = row[x];
    if (lx < RADIUS) {
        tile[lx] = x - RADIUS >= 0 ? row[x - RADIUS] : 0.0f;
        tile[lx + GROUP + RADIUS] = x + GROUP < w ? row[x + GROUP] : 0.0f;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0.0f;
#pragma unroll
    for (int k = -RADIUS; k <= RADIUS; k++) sum += weights[k + RADIUS] * tile[lx + RADIUS + k];
    dst[y * w + x] = sum;
}
