// One work-item computes one point of the picture.
#define LIMIT 4.0f

kernel void mandelbrot(global int* restrict out, int width, int height, float x0, float y0, float step, int max_iterations) {
    size_t id = get_global_id(0);
    int px = (int)(id % width), py = (int)(id / width);
    if (py >= height) return;
    float cx = x0 + px * step, cy = y0 + py * step;
    float x = 0.0f, y = 0.0f;
    int i;
    for (i = 0; i < max_iterations; i++) {
        float xx = x * x, yy = y * y;
        if (xx + yy > LIMIT) break;
        y = 2.0f * x * y + cy;
        x = xx - yy + cx;
    }
    out[id] = i;
}

__kernel __attribute__((reqd_work_group_size(8, 8, 1)))
void mandelbrot_2d(__global int* out, float scale) {
    const size_t px = get_global_id(0), py = get_global_id(1);
    float cx = px * scale - 2.0f, cy = py * scale - 1.5f, x = 0, y = 0;
    int n = 0;
    while (x * x + y * y <= LIMIT && n < 256) {
        float t = x * x - y * y + cx;
        y = 2 * x * y + cy;
        x = t;
        ++n;
    }
    out[py * get_global_size(0) + px] = n;
}
