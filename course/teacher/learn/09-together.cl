kernel void together(global const int* in, global int* out) {
    int i = get_global_id(0), x = in[i], sum = 0;
    int odd = i & 1, mask = 15 + 16 * odd, step = 2 - 6 * odd;
    for (int k = 0; k < 20; k++)
        sum += (x * k) & mask ? 0 : step;
    out[i] = sum;
}
