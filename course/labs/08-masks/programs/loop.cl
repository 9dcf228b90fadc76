// Each lane leaves the loop after another number of steps. What it computed last is its own.
kernel void loop(global const int* in, global int* out) {
    int i = get_global_id(0);
    int n = in[i], steps = 0, last = 0;
    while (n > 1) {
        last = n;
        n = n & 1 ? 3 * n + 1 : n / 2;
        steps++;
    }
    out[2 * i] = steps;
    out[2 * i + 1] = last;
}
