// Integer conversion of BT.601.
uchar clip(int v) { return v < 0 ? 0 : v > 255 ? 255 : v; }

kernel void rgb_to_yuv(global const uchar* rgb, global uchar* yuv) {
    int i = get_global_id(0) * 3;
    int r = rgb[i], g = rgb[i + 1], b = rgb[i + 2];
    yuv[i] = clip(((66 * r + 129 * g + 25 * b + 128) >> 8) + 16);
    yuv[i + 1] = clip(((-38 * r - 74 * g + 112 * b + 128) >> 8) + 128);
    yuv[i + 2] = clip(((112 * r - 94 * g - 18 * b + 128) >> 8) + 128);
}
