// Both arms of the branch do the same long computation, with other data. The lanes of one arm wait for those of the
// other. Let the branch select the data, and do the computation once. (The compiler's pass meld would do it, too. Here
// it is off.)
// NOT DONE
kernel void melt(global const int* a, global const int* b, global int* out) {
    int i = get_global_id(0);
    if (a[i] & 1) {
        int h = a[i];
        for (int k = 0; k < 4; k++) h = (h ^ h << 3) * 5 + k;
        out[i] = h & 1023;
    } else {
        int h = b[i];
        for (int k = 0; k < 4; k++) h = (h ^ h << 3) * 5 + k;
        out[i] = -(h & 1023);
    }
}
