export void stencil(uniform const float input[], uniform float out[], uniform int n, uniform float centre,
                    uniform float side, uniform int nx, uniform int ny, uniform int nz) {
    for (uniform int z = 0; z < n; z++)
        for (uniform int y = 0; y < n; y++) {
            const uniform int row = (z * n + y) * n;
            if (y == 0 || z == 0 || y == n - 1 || z == n - 1) {
                foreach (x = 0 ... n) out[row + x] = input[row + x];
            } else {
                foreach (x = 1 ... n - 1) {
                    const int at = row + x;
                    out[at] = centre * input[at] + side * (input[at - 1] + input[at + 1] + input[at - n] + input[at + n] +
                                                           input[at - n * n] + input[at + n * n]);
                }
                out[row] = input[row];
                out[row + n - 1] = input[row + n - 1];
            }
        }
}
