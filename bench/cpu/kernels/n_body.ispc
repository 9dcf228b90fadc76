export void n_body(uniform const float x[], uniform const float y[], uniform const float z[],
                   uniform const float mass[], uniform int n, uniform float softening, uniform float ax[],
                   uniform float ay[], uniform float az[], uniform int nx, uniform int ny, uniform int nz) {
    foreach (i = 0 ... nx) {
        const float px = x[i];
        const float py = y[i];
        const float pz = z[i];
        float sx = 0;
        float sy = 0;
        float sz = 0;
        for (uniform int j = 0; j < n; j++) {
            const float dx = x[j] - px;
            const float dy = y[j] - py;
            const float dz = z[j] - pz;
            const float inverse = rsqrt(dx * dx + dy * dy + dz * dz + softening);
            const float f = mass[j] * inverse * inverse * inverse;
            sx += f * dx;
            sy += f * dy;
            sz += f * dz;
        }
        ax[i] = sx;
        ay[i] = sy;
        az[i] = sz;
    }
}
