static inline float radical_inverse(unsigned int i, uniform unsigned int base) {
    float result = 0.0f;
    uniform float b = base;
    float f = 1.0f / b;
    while (i > 0) {
        result += f * (i % base);
        i /= base;
        f /= b;
    }
    return result;
}

export void halton(uniform float out[], uniform unsigned int offset, uniform int nx, uniform int ny, uniform int nz) {
    foreach (i = 0 ... nx) {
        out[2 * i + 0] = radical_inverse(i + offset, 2);
        out[2 * i + 1] = radical_inverse(i + offset, 3);
    }
}
