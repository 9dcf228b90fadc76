// Steps of 3n+1 down to 1: a loop whose end differs between neighbours, on integers.
kernel void collatz(global uint* out) {
    uint n = get_global_id(0) + 1;
    uint steps = 0;
    while (n != 1) {
        n = n & 1 ? 3 * n + 1 : n >> 1;
        steps++;
    }
    out[get_global_id(0)] = steps;
}
