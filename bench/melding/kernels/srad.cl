// Speckle reduction: each cell against its neighbours, at the edges of the tile from global memory.
kernel void srad(global const float* image, global float* out, int width) {
    local float tile[16][16];
    int x = get_local_id(0), y = get_local_id(1), gx = get_global_id(0), gy = get_global_id(1);
    int at = gy * width + gx;
    tile[y][x] = image[at];
    barrier(CLK_LOCAL_MEM_FENCE);
    float c = tile[y][x], n, s, w, e;
    if (y == 0) n = gy > 0 ? image[at - width] : c;
    else n = tile[y - 1][x];
    if (y == 15) s = gy + 1 < (int)get_global_size(1) ? image[at + width] : c;
    else s = tile[y + 1][x];
    if (x == 0) w = gx > 0 ? image[at - 1] : c;
    else w = tile[y][x - 1];
    if (x == 15) e = gx + 1 < width ? image[at + 1] : c;
    else e = tile[y][x + 1];
    float dn = n - c, ds = s - c, dw = w - c, de = e - c;
    float g2 = (dn * dn + ds * ds + dw * dw + de * de) / (c * c), l = (dn + ds + dw + de) / c;
    float d = 1.0f + 0.25f * l, q = (0.5f * g2 - 0.0625f * l * l) / (d * d);
    float k = 1.0f / (1.0f + (q - 0.05f) / (0.05f * 1.05f));
    out[at] = k < 0.0f ? 0.0f : k > 1.0f ? 1.0f : k;
}
