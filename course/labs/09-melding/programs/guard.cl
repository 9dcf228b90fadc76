// The arms load from buffers of different sizes and types, and one loads more than the other. An index that is right in
// one arm is outside of the buffer of the other one.
kernel void guard(global const short* small, global const int* large, global int* out) {
    int i = get_global_id(0), r;
    if (i < 8) {
        r = small[i] + 3 * small[7 - i] + 1;
        out[i] = r * 2;
    } else {
        r = large[i] - 1;
    }
    out[64 + i] = r;
}
