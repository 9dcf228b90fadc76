// Fourier transforms of 256 points by 128 work-items, radix 2 (Stockham).
#define POINTS 256

__kernel void fft_local(__global float* re, __global float* im) {
    __local float2 data[2][POINTS];
    const int t = get_local_id(0), base = get_group_id(0) * POINTS;
    data[0][t] = (float2)(re[base + t], im[base + t]);
    data[0][t + POINTS / 2] = (float2)(re[base + t + POINTS / 2], im[base + t + POINTS / 2]);
    barrier(CLK_LOCAL_MEM_FENCE);
    int from = 0;
    for (int half_size = 1; half_size < POINTS; half_size <<= 1) {
        const int k = t & (half_size - 1);
        const float angle = -M_PI_F * k / half_size;
        const float2 w = (float2)(cos(angle), sin(angle));
        const float2 a = data[from][t], b = data[from][t + POINTS / 2];
        const float2 wb = (float2)(b.x * w.x - b.y * w.y, b.x * w.y + b.y * w.x);
        const int to = ((t - k) << 1) + k;
        data[1 - from][to] = a + wb;
        data[1 - from][to + half_size] = a - wb;
        from = 1 - from;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    re[base + t] = data[from][t].x;
    im[base + t] = data[from][t].y;
    re[base + t + POINTS / 2] = data[from][t + POINTS / 2].x;
    im[base + t + POINTS / 2] = data[from][t + POINTS / 2].y;
}
