// Each work-item counts the steps of the Collatz sequences of `each` numbers that lie side by side.
kernel void steps(global const uint* in, global uint* out, uint each) {
    uint first = get_global_id(0) * each;
    for (uint k = 0; k < each; k++) {
        uint n = in[first + k], count = 0;
        while (n != 1) {
            n = n % 2 ? 3 * n + 1 : n / 2;
            count++;
        }
        out[first + k] = count;
    }
}
