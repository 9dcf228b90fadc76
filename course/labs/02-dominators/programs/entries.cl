// A loop that is entered at c and at d. Another path that ends leads past each, so the entries have different dominators.
kernel void entries(global const int* in, global int* out) {
    int id = get_global_id(0), x = in[id], n = 0;
    if (x & 1) {
        if (x & 2) {
            out[id] = 7;
            return;
        }
        x += 3;
        goto c;
    }
    if (x & 4) {
        out[id] = 9;
        return;
    }
    x *= 5;
    goto d;
c:
    x += 1;
    if (x > 100)
        goto end;
d:
    x += 2;
    if (n++ < 5)
        goto c;
end:
    out[id] = x;
}
