// Rows of an image, one a work-item: a count of dark pixels, then two levels.
__kernel void row_levels(__global const uchar* image, __global uchar* out, __global int* dark, int width,
                         int limit) {
    const int row = get_global_id(0);
    __global const uchar* from = image + row * width;
    __global uchar* to = out + row * width;
    int count = 0;
    for (int x = 0; x < width; x++) count += from[x] < limit;
    for (int x = 0; x < width; x++) to[x] = from[x] < limit ? 0 : 255;
    dark[row] = count;
}
