// Write "divergent" or "uniform" in place of the question marks. A value may be the same for all lanes that are in a
// loop, and differ among them after it: that is temporal divergence.
// NOT DONE
kernel void search(global const int* in, global int* out, int n) {
    int i = get_global_id(0), found = -1, k = 0, steps = 0;
    for (; k < n; k++) {  //= ?
        steps++;
        if (steps > 5)  //= ?
            out[i] = steps;
        if (in[k] == i) {  //= ?
            found = k;
            break;
        }
    }
    if (k == n)  //= ?
        out[i] = -1;
    if (steps > 5)  //= ?
        out[i] += 7;
    if (n > 4)  //= ?
        out[i] += found;
}
