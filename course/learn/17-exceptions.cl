// A helper throws the number that it cannot use. Work-items whose helper throws must store that number, negated.
// NOT DONE
int half_of(int n) {
    if (n % 2) throw n;
    return n / 2;
}

kernel void halves(global const int* in, global int* out) {
    int i = get_global_id(0);
    out[i] = half_of(in[i]);
}
