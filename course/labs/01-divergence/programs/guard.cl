// Practice: a guard at the edge of the data, and a switch by a parameter.
kernel void guard(global int* out, int n, int mode) {
    int i = get_global_id(0);
    if (i < n) {
        if (mode == 1)
            out[i] = i * i;
        else
            out[i] = -i;
    }
}
