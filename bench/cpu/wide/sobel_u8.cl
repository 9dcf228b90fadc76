// Edges of a grey image; clamp() repeats the border.
#define PIX(dx, dy) ((int)src[clamp(y + (dy), 0, height - 1) * width + clamp(x + (dx), 0, width - 1)])

__kernel void sobel_u8(__global const uchar* restrict src, __global uchar* restrict dst, int width, int height) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= width || y >= height) return;
    const int gx = -PIX(-1, -1) - 2 * PIX(-1, 0) - PIX(-1, 1) + PIX(1, -1) + 2 * PIX(1, 0) + PIX(1, 1);
    const int gy = -PIX(-1, -1) - 2 * PIX(0, -1) - PIX(1, -1) + PIX(-1, 1) + 2 * PIX(0, 1) + PIX(1, 1);
    const int sum = abs(gx) + abs(gy);
    dst[y * width + x] = (uchar)(sum > 255 ? 255 : sum);
}
