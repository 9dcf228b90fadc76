// A jump on a uniform condition may stay as it is: that at the entry. The loop has two entries.
kernel void uniform_jumps(global const int* in, global int* out, int n, int mode) {
    int i = get_global_id(0), x = in[i], r = 0, k = 0;
    if (mode & 1) goto two;
one:
    r += x;
    if (mode & 2) goto three;
    if (x & 1) r += 3;           // divergent
two:
    r += 2;
    k++;
    if (k > n) goto four;
    if (mode & 4) goto one;
three:
    r += x * 2;
    if (x & 2) r ^= 5;           // divergent
    if (k < 3) goto two;
    mode >>= 1;
    if (k < n) goto one;
four:
    out[i] = r;
}
