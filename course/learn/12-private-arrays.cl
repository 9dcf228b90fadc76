// Each work-item counts how often the numbers 0 to 3 occur among its eight elements, in an array of its own, and stores
// the number that occurs most often. Arrays without an initializer have unspecified contents.
// NOT DONE
kernel void most_frequent(global const int* in, global int* out) {
    int i = get_global_id(0), count[4];
    for (int k = 0; k < 8; k++)
        count[in[8 * i + k]]++;
    int best = 0;
    for (int n = 1; n < 4; n++)
        if (count[n] > count[best]) best = n;
    out[i] = best;
}
