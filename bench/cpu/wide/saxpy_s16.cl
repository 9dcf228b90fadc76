// y += a x in fixed point with 15 bits after the point.
#define SAT16(v) ((v) > 32767 ? 32767 : (v) < -32768 ? -32768 : (v))

kernel void saxpy_s16(global const short* restrict x, global short* restrict y, short a) {
    size_t i = get_global_id(0);
    int v = (x[i] * a + (1 << 14)) >> 15;
    v += y[i];
    y[i] = (short)SAT16(v);
}
