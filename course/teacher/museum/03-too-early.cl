// The loop that loads has no iteration for n = 0, and then in has no element.
kernel void k(global const int* in, global int* out, int n) {
    int i = get_global_id(0), sum = 0;
    for (int k = 0; k < n; k++)
        sum += k * in[i * 100];
    out[i] = sum;
}
