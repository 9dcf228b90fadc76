// Loops that lanes leave together, and loops that they leave one after the other.
kernel void loops(global const int* in, global int* out, int n) {
    int i = get_global_id(0), x = in[i] & 15, r = 0, k, j;
    for (k = 0; k < n; k++) {             // uniform
        if (k & 1) r += k;                // uniform
        if (x & k) r += 2;                // divergent
        if (k == n - 2 && n > 30) break;  // uniform
    }
    if (k == 7) r += 3;                   // uniform: all lanes left together
    for (j = 0; j < x; j++) {             // divergent
        if (j & 1) r += 4;                // uniform: lanes that are in the loop are in the same iteration
        if (j == n) r += 5;               // uniform
    }
    if (j > 8) r += 6;                    // divergent: j says when the lane left
    int limit = 0;
    while (1) {
        limit += n;
        if (limit > 40) break;            // uniform
        if (limit * 3 > 90 + x) break;    // divergent
    }
    if (limit > 35) r += 7;               // divergent
    out[i] = r;
}
