// Loops that are entered in the middle.
kernel void knot(global const int* in, global int* out) {
    int i = get_global_id(0), x = in[i], n = 0;
    if (x & 1) goto c;
    if (x & 2) goto b;
a:
    n++;
    if (n > 9) goto done;
    x = x * 5 + 1;
    if (x & 4) goto c;
b:
    n += 2;
    if (x & 8) goto a;
c:
    n += 3;
    x = x * 3 + 1;
    if (n < 30) {
        if (x & 1) goto b;
        goto a;
    }
done:
    out[i] = n;
}
