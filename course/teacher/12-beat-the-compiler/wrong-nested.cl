// Fewer instructions for a step, in the loop nest of the reference: lanes wait for each other after each number.
kernel void steps(global const uint* in, global uint* out, uint each) {
    uint first = get_global_id(0) * each;
    for (uint k = 0; k < each; k++) {
        uint n = in[first + k], count = ctz(n);
        n >>= count;
        while (n != 1) {
            uint m = 3 * n + 1, z = ctz(m);
            n = m >> z;
            count += z + 1;
        }
        out[first + k] = count;
    }
}
