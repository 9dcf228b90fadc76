// A loop with two exits, one of them from inside of a branch, and a limit that all lanes share.
kernel void exits(global const int* in, global int* out, int limit) {
    int i = get_global_id(0);
    int sum = 0, found = -1;
    for (int k = 0; k < limit; ++k) {
        int x = in[(i + k) & 63];
        if (x & 1) {
            if (x > 100) {
                found = k;
                break;
            }
            sum += x;
        }
        if (sum > 150) break;
    }
    out[2 * i] = sum;
    out[2 * i + 1] = found;
}
