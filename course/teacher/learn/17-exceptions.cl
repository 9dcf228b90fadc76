int half_of(int n) {
    if (n % 2) throw n;
    return n / 2;
}

kernel void halves(global const int* in, global int* out) {
    int i = get_global_id(0);
    try {
        out[i] = half_of(in[i]);
    } catch (int n) {
        out[i] = -n;
    }
}
