// A loop with two entries: C allows it, structured control flow does not.
kernel void knots(global const int* in, global int* out) {
    int i = get_global_id(0), x = in[i], rounds = 0;
    if (x & 1) goto odd;
even:
    x /= 2;
    rounds += 1;
    if (x <= 1) goto done;
    if (!(x & 1)) goto even;
odd:
    x = 3 * x + 1;
    rounds += 100;
    if (x < 2000) goto even;
done:
    out[i] = rounds;
}
