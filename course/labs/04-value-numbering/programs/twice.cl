// The same indices and products, computed again and again.
kernel void twice(global const int* in, global int* out, int width) {
    int x = get_global_id(0) % width, y = get_global_id(0) / width;
    int here = in[y * width + x] * 3;
    if (x > 0)
        here += in[y * width + x - 1] * (width + y);
    else
        here -= (width + y) * (width + y);
    if (x < width - 1)
        here += in[y * width + x + 1] * (width + y);
    out[y * width + x] = here + (width + y) * x;
}
