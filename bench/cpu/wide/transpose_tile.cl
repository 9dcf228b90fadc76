#define TILE_DIM 16

__kernel void transpose_tile(__global float* odata, __global const float* idata, int width, int height) {
    __local float tile[TILE_DIM][TILE_DIM + 1];
    int xIndex = get_group_id(0) * TILE_DIM + get_local_id(0);
    int yIndex = get_group_id(1) * TILE_DIM + get_local_id(1);
    tile[get_local_id(1)][get_local_id(0)] = idata[yIndex * width + xIndex];
    barrier(CLK_LOCAL_MEM_FENCE);
    xIndex = get_group_id(1) * TILE_DIM + get_local_id(0);
    yIndex = get_group_id(0) * TILE_DIM + get_local_id(1);
    odata[yIndex * height + xIndex] = tile[get_local_id(0)][get_local_id(1)];
}
