//---- variables
kernel void k(global int* out) {
    int a;
    float b = 2, c = 3;
    for (int i = 0, j = 0; i < 3; i++) out[i] = c;
    const int d = 4;
}
//---- set_but_not_used
kernel void k(global int* out) {
    int a;
    a = 3;
    int b = 0;
    b += out[0];
    int c = 0;
    for (int i = 0; i < 3; i++, c++) out[i] = 1;
}
//---- ok_variables
kernel void k(global int* out) {
    int a;
    (void)a;
    int b __attribute__((unused)) = 3;
    int c = 0;
    out[0] = c++;
    int d;
    out[1] = d = 2;
    volatile int e = 0;
    e = 3;
    int f = 1;
    out[2] = sizeof(f);
    try { throw 1; } catch (int ignored) { }
}
//---- labels
kernel void k(global int* out) {
start:
    out[0] = 1;
    goto end;
middle: out[0] = 2;
end:
    out[1] = 3;
}
//---- ok_labels
kernel void k(global int* out, int n) {
again:
    if (n-- > 0) goto again;
    goto end;
end:
    out[0] = n;
}
//---- functions
static int twice(int x) { return 2 * x; }
static int thrice(int x) { return 3 * x; }
kernel void k(global int* out) { out[0] = thrice(1); }
//---- ok_functions
static inline int twice(int x) { return 2 * x; }
int thrice(int x) { return 3 * x; }
static int four(int x);
__attribute__((unused)) static int five(int x) { return 5 * x; }
kernel void k(global int* out) { out[0] = four(1); }
static int four(int x) { return 4 * x; }
//---- typedefs
kernel void k(global int* out) {
    typedef int number;
    typedef float real;
    real x = 2;
    out[0] = x;
}
//---- ok_typedefs
typedef int everywhere;
typedef int often;
kernel void k(global int* out) {
    typedef often number;
    typedef number other;
    out[0] = sizeof(other);
}
//---- parameters -Wextra
int f(int used, int unused) { return used; }
kernel void k(global int* out, int n) { out[0] = f(1, 2); }
//---- ok_parameters -Wextra
int f(int);
int f(int x) { return x; }
kernel void k(global int* out, int n) { (void)n; out[0] = f(1); }
//---- ok_parameters_without_option
kernel void k(global int* out, int n) { }
