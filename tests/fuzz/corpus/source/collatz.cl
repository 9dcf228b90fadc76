kernel void steps(global const uint* in, global uint* out) {
    uint n = in[get_global_id(0)];
    uint count = 0;
    while (n != 1) {
        n = n % 2 == 0 ? n / 2 : 3 * n + 1;
        count++;
    }
    out[get_global_id(0)] = count;
}
