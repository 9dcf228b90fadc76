// A loop with two entries: 'first' is reached from the arm, and from 'second'.
kernel void k(global const int* in, global int* out) {
    int i = get_global_id(0), n = 0;
    bool odd = in[i] & 1;
    if (odd) {
        n = 1;
        goto first;
    }
    goto second;
first:
    n += odd ? 10 : 20;
second:
    n += 3;
    if (n < 40) goto first;
    out[i] = n;
}
