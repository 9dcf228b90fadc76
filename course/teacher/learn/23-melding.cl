kernel void melt(global const int* a, global const int* b, global int* out) {
    int i = get_global_id(0), odd = a[i] & 1, h = odd ? a[i] : b[i];
    for (int k = 0; k < 4; k++) h = (h ^ h << 3) * 5 + k;
    h &= 1023;
    out[i] = odd ? h : -h;
}
