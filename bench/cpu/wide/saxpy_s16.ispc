export void saxpy_s16(uniform const int16 x[], uniform int16 y[], uniform int16 a, uniform int nx, uniform int ny,
                      uniform int nz) {
    const uniform int factor = a;
    foreach (i = 0 ... nx) {
        int v = ((int)x[i] * factor + (1 << 14)) >> 15;
        v += y[i];
        y[i] = (int16)clamp(v, -32768, 32767);
    }
}
