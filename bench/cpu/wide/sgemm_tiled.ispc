export void sgemm_tiled(uniform const float A[], uniform const float B[], uniform float C[], uniform int wA,
                        uniform int wB, uniform int nx, uniform int ny, uniform int nz) {
    for (uniform int y = 0; y < ny; y++)
        foreach (x = 0 ... wB) {
            float sum = 0;
            for (uniform int k = 0; k < wA; k++) sum += A[y * wA + k] * B[k * wB + x];
            C[y * wB + x] = sum;
        }
}

// Four rows and two vectors of columns at a time in registers.
export void sgemm_tiled_expert(uniform const float A[], uniform const float B[], uniform float C[], uniform int wA,
                               uniform int wB, uniform int nx, uniform int ny, uniform int nz) {
    for (uniform int y = 0; y < ny; y += 8)
        for (uniform int x0 = 0; x0 < wB; x0 += 2 * programCount) {
            float sum[8][2];
            for (uniform int r = 0; r < 8; r++) sum[r][0] = sum[r][1] = 0;
            for (uniform int k = 0; k < wA; k++) {
                const float b0 = B[k * wB + x0 + programIndex];
                const float b1 = B[k * wB + x0 + programCount + programIndex];
                for (uniform int r = 0; r < 8; r++) {
                    const uniform float a = A[(y + r) * wA + k];
                    sum[r][0] += a * b0;
                    sum[r][1] += a * b1;
                }
            }
            for (uniform int r = 0; r < 8; r++) {
                C[(y + r) * wB + x0 + programIndex] = sum[r][0];
                C[(y + r) * wB + x0 + programCount + programIndex] = sum[r][1];
            }
        }
}
