// t is uniform: only lanes that computed it use it. Does it stay so?
kernel void later(global const int* in, global int* out, int n) {
    int i = get_global_id(0), x = in[i], r = 0;
    if (x & 1) goto two;
    int t = n * 3;
    if (x & 2) goto three;
    r += 1;
    if (x & 4) goto two;
three:
    if (t > 5)
        r += 4;
    else
        r += 8;
    if (t & 1) goto end;
    r += 16;
    goto end;
two:
    r += 2;
end:
    out[i] = r;
}
