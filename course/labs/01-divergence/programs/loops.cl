// A counter that is the same for all lanes in the loop, and what it is behind the loop.
kernel void loops(global const int* in, global int* out) {
    int i = get_global_id(0);
    int k = 0, found = 0;
    while (k < in[i]) {
        if (k == 2)
            found = 7;
        k++;
    }
    if (k > 3)
        found++;
    for (int j = 0; j < 4; j++) {
        if (j == 2)
            found += 100;
    }
    if (found > 105)
        found = -found;
    out[i] = found;
}
