float radical_inverse(uint i, uint base) {
    float result = 0.0f;
    float f = 1.0f / base;
    while (i > 0) {
        result += f * (i % base);
        i /= base;
        f /= base;
    }
    return result;
}

__kernel void halton(__global float* out, uint offset) {
    uint i = get_global_id(0);
    out[2 * i + 0] = radical_inverse(i + offset, 2);
    out[2 * i + 1] = radical_inverse(i + offset, 3);
}
