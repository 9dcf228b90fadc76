// An else arm that two conditions reach.
kernel void short_circuit(global const int* in, global int* out) {
    int i = get_global_id(0), x = in[i], r;
    if ((x > 10 || x % 3 == 0) && x != 42)
        r = in[x & 7];
    else
        r = in[-x & 7] + x;
    out[i] = r;
}
