// Points of the Mandelbrot set, several for each work-item, in one flat loop: who is done with a point begins
// the next while others still iterate. The loop has two exits, and the restart joins the iteration below it.
kernel void mandelbrot(global uint* out, int points, int width, float left, float top, float step, int limit) {
    int id = get_global_id(0), items = get_global_size(0);
    int point = 0, left_over = limit, place = id;
    float cx = left + step * (place % width), cy = top + step * (place / width);
    float x = 0.0f, y = 0.0f;
    while (point != points) {
        float xx = x * x, yy = y * y;
        if (--left_over <= 0 || xx + yy > 4.0f) {
            out[place] = limit - left_over;
            if (++point == points)
                return;
            place += items;
            cx = left + step * (place % width);
            cy = top + step * (place / width);
            x = y = xx = yy = 0.0f;
            left_over = limit;
        }
        y = 2.0f * x * y + cy;
        x = xx - yy + cx;
    }
}
