// What a divergent branch does to variables after it.
kernel void joins(global const int* in, global int* out, int n) {
    int i = get_global_id(0), x = in[i], r = 0, a, b, c = 0;
    if (x & 1) {
        a = 1;
        b = n;
    } else {
        a = 2;
        b = n;
    }
    if (a == 1) r += 1;       // divergent
    if (b == 5) r += 2;       // uniform: both arms give n
    if (n > 3) c = 5;
    if (c) r += 4;            // uniform: lanes came the same way
    int d = 0, e = 0;
    if (x & 2) goto left;
    if (x & 4) goto right;
    d = 1;
left:
    if (d) r += 8;            // divergent: lanes jump here and come from above
    e = 1;
right:
    if (e) r += 16;           // divergent
    out[i] = r;
}
