// Values that meet where a divergent branch ends.
kernel void joins(global const int* in, global int* out, int base) {
    int i = get_global_id(0);
    int way = 1, same = base;
    if (in[i] & 1) {
        way = 2;
        same = base;
    }
    if (way == 2)
        out[i] = 10;
    if (same > 3)
        out[i] += 1;
    int other = base > 2 ? i : base;
    if (other == base)
        out[i] += 2;
    if (in[i] > 5 && base > 0)
        out[i] += 4;
again:
    if (in[i] > 8 && way < 5) {
        way++;
        goto again;
    }
    if (way > 4)
        out[i] += 8;
}
