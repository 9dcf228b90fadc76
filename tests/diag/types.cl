float half_of(float x) { return x / 2; }
kernel int result(global int* out) { return 1; }
kernel void k(global float* out, constant int* table, global const int* in, bool flag) {
    int x = out;
    out = 2.0f;
    out[1.5f] = 1;
    out[0] = 1.0f % 2;
    out[0] = ~out[0];
    x = half_of(out);
    x = half_of(1, 2);
    x = half_of();
    in[0] = 1;
    table[0] = 1;
    global float* p = table;
    global int* q = in;
    const int c = 1;
    c = 2;
    c++;
    x + 1 = 2;
    *x = 1;
    &x;
    x.y = 1;
    x();
    void v;
    long long l;
    unsigned float u;
    return x;
}
