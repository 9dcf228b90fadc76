// Both arms have a loop, and lanes of one arm wait while those of the other run. Use at least 95 % of the lane slots.
// NOT DONE
kernel void together(global const int* in, global int* out) {
    int i = get_global_id(0), x = in[i], sum = 0;
    if (i & 1) {
        for (int k = 0; k < 20; k++)
            sum -= (x * k) & 31 ? 0 : 4;
    } else {
        for (int k = 0; k < 20; k++)
            sum += (x * k) & 15 ? 0 : 2;
    }
    out[i] = sum;
}
