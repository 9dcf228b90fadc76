// Heat in a plate: one launch is one step, from one grid into the other. A source in the middle warms it, and
// it loses heat at its edges.
kernel void warm(global float* heat, int size) {
    int x = get_global_id(0), y = get_global_id(1), middle = size / 2;
    int dx = x - middle, dy = y - middle;
    heat[y * size + x] = dx * dx + dy * dy < size ? 100.0f : 20.0f;
}

kernel void step(global const float* before, global float* after, int size, float rate) {
    int x = get_global_id(0), y = get_global_id(1), at = y * size + x;
    float here = before[at];
    float up = y > 0 ? before[at - size] : 20.0f, down = y < size - 1 ? before[at + size] : 20.0f;
    float left = x > 0 ? before[at - 1] : 20.0f, right = x < size - 1 ? before[at + 1] : 20.0f;
    after[at] = here + rate * (up + down + left + right - 4 * here);
}

// The largest change between two grids, in millionths of a degree.
kernel void compare(global const float* a, global const float* b, global int* largest) {
    int i = get_global_id(0);
    atomic_max(largest, (int)(1e6f * fabs(a[i] - b[i])));
}
