export void row_levels(uniform const unsigned int8 image[], uniform unsigned int8 out[], uniform int dark[],
                       uniform int width, uniform int limit, uniform int nx, uniform int ny, uniform int nz) {
    for (uniform int row = 0; row < nx; row++) {
        const uniform unsigned int8* uniform from = image + row * width;
        uniform unsigned int8* uniform to = out + row * width;
        int count = 0;
        foreach (x = 0 ... width) count += from[x] < limit ? 1 : 0;
        foreach (x = 0 ... width) to[x] = from[x] < limit ? 0 : 255;
        dark[row] = reduce_add(count);
    }
}
