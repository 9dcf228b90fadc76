// A loop with two entries, which lanes enter in different places.
kernel void knot(global const int* in, global int* out, int n) {
    int i = get_global_id(0), x = in[i], k = 0, r = 0;
    if (x & 1) goto odd;
even:
    k++;
    if (k & 2) r += 1;        // divergent: lanes at one place are not in one iteration
    if (k > n) goto done;
odd:
    k += 2;
    if (k == 5) r += 2;       // divergent
    if (k < 3 * n) goto even;
done:
    if (k > n + 2) r = -r;    // divergent: lanes come here from both places, with another k from each
    out[i] = r + k;
}
