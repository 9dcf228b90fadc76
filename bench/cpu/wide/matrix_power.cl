// M^(2^k) of a small matrix for each work-item, scaled in each step.
void multiply(float* c, const float* a, const float* b) {
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            float s = 0;
            for (int k = 0; k < 4; k++) s += a[i * 4 + k] * b[k * 4 + j];
            c[i * 4 + j] = s;
        }
}

float largest(const float* a) {
    float m = 0;
    for (int i = 0; i < 16; i++) m = fmax(m, fabs(a[i]));
    return m;
}

__kernel void matrix_power(__global const float* in, __global float* out, int steps) {
    int id = get_global_id(0);
    float m[16], square[16], both[16];
    for (int i = 0; i < 16; i++) m[i] = in[id * 16 + i];
    for (int i = 0; i < 16; i++) both[i] = m[i];
    for (int s = 0; s < steps; s++) {
        multiply(square, m, m);
        float scale = 1.0f / (largest(square) + 1e-6f);
        for (int i = 0; i < 16; i++) m[i] = square[i] * scale;
        multiply(square, both, m);
        for (int i = 0; i < 16; i++) both[i] = 0.5f * (square[i] + m[i]);
    }
    for (int i = 0; i < 16; i++) out[id * 16 + i] = both[i];
}
