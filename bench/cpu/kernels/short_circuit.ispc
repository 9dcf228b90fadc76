static inline float heavy(float x, uniform float a, uniform float b) {
    for (uniform int i = 0; i < 16; i++) x = a * x * (1.0f - x) + b;
    return x;
}

export void short_circuit(uniform const float input[], uniform float out[], uniform int rounds, uniform float low,
                          uniform float high, uniform int nx, uniform int ny, uniform int nz) {
    foreach (i = 0 ... nx) {
        float x = input[i];
        for (uniform int r = 0; r < rounds; r++) {
            if ((x < low || (heavy(x, 3.7f, 0.01f) > 0.3f && x < high)) && heavy(x, 2.9f, 0.05f) < 0.7f)
                x = heavy(x, 3.9f, 0.02f);
            else
                x = x * 0.5f + 0.1f * (float)(r & 7);
        }
        out[i] = x;
    }
}
