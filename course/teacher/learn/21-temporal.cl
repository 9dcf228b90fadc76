kernel void search(global const int* in, global int* out, int n) {
    int i = get_global_id(0), found = -1, k = 0, steps = 0;
    for (; k < n; k++) {  //= uniform
        steps++;
        if (steps > 5)  //= uniform
            out[i] = steps;
        if (in[k] == i) {  //= divergent
            found = k;
            break;
        }
    }
    if (k == n)  //= divergent
        out[i] = -1;
    if (steps > 5)  //= divergent
        out[i] += 7;
    if (n > 4)  //= uniform
        out[i] += found;
}
