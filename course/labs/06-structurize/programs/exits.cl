// A loop with several exits, which lead to different places.
kernel void exits(global const int* in, global int* out, int n) {
    int i = get_global_id(0), found = -1, sum = 0;
    for (int k = 0; k < n; k++) {
        int x = in[(i + k) & 63];
        if (x == 7) {
            found = k;
            goto known;
        }
        if (x > 90) break;
        if (x & 1) continue;
        sum += x;
        if (sum > 300) goto much;
    }
    sum += 1;
known:
    sum += found;
much:
    out[i] = sum * 3 + found;
}
