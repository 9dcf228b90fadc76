// Mean of 5 by 5 pixels. Outside the image it is mirrored.
int mirror(int i, int n) { return i < 0 ? -i - 1 : i >= n ? 2 * n - 1 - i : i; }

uint fetch(global const uchar* img, int x, int y, int w, int h) { return img[mirror(y, h) * w + mirror(x, w)]; }

kernel void box_blur_u8(global const uchar* in, global uchar* out, int w, int h) {
    int x = get_global_id(0), y = get_global_id(1);
    uint total = 0;
    for (int j = -2; j <= 2; ++j)
        for (int i = -2; i <= 2; ++i) total += fetch(in, x + i, y + j, w, h);
    out[y * w + x] = (total * 2 + 25) / 50;
}
