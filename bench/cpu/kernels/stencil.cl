// Seven-point stencil in three dimensions; the border is copied.
kernel void stencil(global const float* in, global float* out, int n, float centre, float side) {
    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    int at = (z * n + y) * n + x;
    if (x == 0 || y == 0 || z == 0 || x == n - 1 || y == n - 1 || z == n - 1) {
        out[at] = in[at];
        return;
    }
    float sum = in[at - 1] + in[at + 1] + in[at - n] + in[at + n] + in[at - n * n] + in[at + n * n];
    out[at] = centre * in[at] + side * sum;
}
