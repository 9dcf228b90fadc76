// Quantisation of coefficients, rounded away from zero on either side of it.
kernel void dct_quantise(global short* coefficients, global const short* table) {
    int g = get_global_id(0), t = get_local_id(0);
    int c = coefficients[g], q = table[t & 63];
    if (c < 0) {
        c = -c;
        c += q >> 1;
        c /= q;
        c = -c;
    } else {
        c += q >> 1;
        c /= q;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    coefficients[g] = c * q;
}
