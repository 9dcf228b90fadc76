// Acceleration of each body by all others: a loop that all work-items run equally often.
kernel void n_body(global const float* x, global const float* y, global const float* z, global const float* mass, int n,
                   float softening, global float* ax, global float* ay, global float* az) {
    int i = get_global_id(0);
    float px = x[i], py = y[i], pz = z[i];
    float sx = 0.0f, sy = 0.0f, sz = 0.0f;
    for (int j = 0; j < n; j++) {
        float dx = x[j] - px, dy = y[j] - py, dz = z[j] - pz;
        float d2 = dx * dx + dy * dy + dz * dz + softening;
        float inverse = rsqrt(d2);
        float f = mass[j] * inverse * inverse * inverse;
        sx += f * dx;
        sy += f * dy;
        sz += f * dz;
    }
    ax[i] = sx;
    ay[i] = sy;
    az[i] = sz;
}
