export void heat_guard(uniform const float u[], uniform float v[], uniform int nx, uniform int ny, uniform float c,
                       uniform int gx, uniform int gy, uniform int gz) {
    for (uniform int j = 0; j < ny; j++) {
        uniform const float* uniform row = u + j * nx;
        uniform float* uniform to = v + j * nx;
        if (j == 0 || j == ny - 1) {
            foreach (i = 0 ... nx) to[i] = row[i];
        } else {
            foreach (i = 1 ... nx - 1)
                to[i] = row[i] + c * (row[i - 1] - 2.0f * row[i] + row[i + 1]) +
                        c * (row[i - nx] - 2.0f * row[i] + row[i + nx]);
            to[0] = row[0];
            to[nx - 1] = row[nx - 1];
        }
    }
}
