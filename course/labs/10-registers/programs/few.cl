// Everything fits.
kernel void few(global const int* in, global int* out) {
    int i = get_global_id(0);
    int x = in[i] * 3, y = x ^ i;
    out[i] = x + y * y;
}
