__kernel void transpose_plain(__global const float* in, __global float* out, uint width, uint height) {
    uint x = get_global_id(0), y = get_global_id(1);
    if (x < width && y < height) out[x * height + y] = in[y * width + x];
}
