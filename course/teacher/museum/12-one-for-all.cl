// k is the same for all lanes that are in the loop. Lanes leave it at different iterations, so it differs after it.
kernel void k(global const int* in, global int* out) {
    int i = get_global_id(0), k = 0;
    while (k < in[i])
        k++;
    if (k > 3) out[i] = k;
}
