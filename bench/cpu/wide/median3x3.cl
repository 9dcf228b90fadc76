__kernel void median3x3(__global const uchar* src, __global uchar* dst, int w, int h) {
    int x = get_global_id(0), y = get_global_id(1);
    if (x == 0 || y == 0 || x == w - 1 || y == h - 1) {
        dst[y * w + x] = src[y * w + x];
        return;
    }
    uchar v[9];
    int k = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) v[k++] = src[(y + dy) * w + (x + dx)];
    // Five rounds of selection: v[4] is the median.
    for (int i = 0; i < 5; i++)
        for (int j = i + 1; j < 9; j++)
            if (v[j] < v[i]) {
                uchar t = v[i];
                v[i] = v[j];
                v[j] = t;
            }
    dst[y * w + x] = v[4];
}
