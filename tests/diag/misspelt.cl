// Names that are not there, and what was probably meant.
typedef int number;
float scale(float x) { return x * 2; }

kernel void k(global int* out, flaot factor) {
    int count = 2;
    out[0] = cuont + 1;
    out[1] = (int)sclae(3);
    out[2] = get_globl_id(0);
    out[3] = zebra;
    flot f = 1;
    numbr n = 2;
    goto dnoe;
done:
    out[4] = n + f;
}
kernel void k(global real *x, local T *y, int n) { local floot *z = 0; constant REAL w = 1; }
