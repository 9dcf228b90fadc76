kernel void checks(global const int* in, global int* out) {
    int i = get_global_id(0), x = in[i], sum = 0;
    if (i & 1 ? x < 60 : x > 3) {
        for (int k = 0; k < 10; k++)
            sum += (x * k) % 7;
        out[i] = sum;
    } else {
        out[i] = i & 1 ? 1 : 2;
    }
}
