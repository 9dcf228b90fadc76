//---- recursive -Weverything
int max3(int x) { return x + 3; }
#define max3(x) max3((x) + 1)
#define plain plain
#define other(x) ((x) + 1)
kernel void k(global int* out) { out[0] = max3(out[1]) + other(2); }
//---- ok_recursive_without_option
int max3(int x) { return x + 3; }
#define max3(x) max3((x) + 1)
kernel void k(global int* out) { out[0] = max3(out[1]); }
//---- ok_values_from_macros
#define CHECK(x) (x)
#define SAME(a, b) ((a) == (b))
#define LOG(x)
#define BIG UINT_MAX
kernel void k(global int* out, global float* f, int n) {
    CHECK(n == 1);
    if (SAME(n, n)) out[0] = 1;
    if (n > 4) LOG(n);
    f[0] = BIG;
    out[1] = n;
}
//---- error_in_a_macro
#define TWICE(x) ((x) * 2 + undeclared)
#define INDEX(p, i) (p[i])
kernel void k(global int* out) {
    out[0] = TWICE(out[1]);
    out[1] = INDEX(out, 1.5f);
    out[2] = INDEX(cuont, 1);
}
//---- misspelt_inside_a_macro
#define USE(x) ((x) + cuont)
kernel void k(global int* out, int count) {
    out[0] = USE(count);
    out[1] = USE(coutn);
}
//---- warning_in_an_argument
#define ID(x) (x)
kernel void k(global int* out, int n) {
    out[0] = ID(n / 0);
    out[1] = ID(n << 40);
    if (ID(n = 3)) out[2] = 1;
}
