// Labels and goto are part of the language. Count the steps of the Collatz sequence from n to 1: an even number is
// halved, an odd one becomes 3 * n + 1.
// NOT DONE
kernel void steps(global const int* in, global int* out) {
    int i = get_global_id(0), n = in[i], count = 0;
again:
    if (n <= 1) goto done;
    n = n / 2;
    count++;
    goto again;
done:
    out[i] = count;
}
