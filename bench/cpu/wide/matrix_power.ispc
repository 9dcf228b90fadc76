static inline void multiply(varying float* uniform c, const varying float* uniform a, const varying float* uniform b) {
    for (uniform int i = 0; i < 4; i++)
        for (uniform int j = 0; j < 4; j++) {
            float s = 0;
            for (uniform int k = 0; k < 4; k++) s += a[i * 4 + k] * b[k * 4 + j];
            c[i * 4 + j] = s;
        }
}

export void matrix_power(uniform const float input[], uniform float out[], uniform int steps, uniform int nx,
                         uniform int ny, uniform int nz) {
    foreach (id = 0 ... nx) {
        float m[16], square[16], both[16];
        for (uniform int i = 0; i < 16; i++) both[i] = m[i] = input[id * 16 + i];
        for (uniform int s = 0; s < steps; s++) {
            multiply(square, m, m);
            float largest = 0;
            for (uniform int i = 0; i < 16; i++) largest = max(largest, abs(square[i]));
            const float scale = 1.0f / (largest + 1e-6f);
            for (uniform int i = 0; i < 16; i++) m[i] = square[i] * scale;
            multiply(square, both, m);
            for (uniform int i = 0; i < 16; i++) both[i] = 0.5f * (square[i] + m[i]);
        }
        for (uniform int i = 0; i < 16; i++) out[id * 16 + i] = both[i];
    }
}
