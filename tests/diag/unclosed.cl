kernel void k(global int* out) {
    if (out[0]) {
        out[1] = 2;
    /* and a comment that never ends
