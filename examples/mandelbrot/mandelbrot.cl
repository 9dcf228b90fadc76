// How many steps z = z*z + c takes to leave the circle of radius 2, for each pixel.
// Neighbouring work-items leave the loop at different times: a divergent loop with a break.
kernel void mandelbrot(global uint* out, int width, float left, float top, float step, int limit) {
    int x = get_global_id(0);
    int y = get_global_id(1);
    float cx = left + x * step;
    float cy = top + y * step;
    float zx = 0.0f;
    float zy = 0.0f;
    int i;
    for (i = 0; i < limit; i++) {
        float xx = zx * zx;
        float yy = zy * zy;
        if (xx + yy > 4.0f)
            break;
        zy = 2.0f * zx * zy + cy;
        zx = xx - yy + cx;
    }
    out[y * width + x] = i;
}
