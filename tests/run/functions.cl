// Functions: calls, parameters, results, order of definition, helpers with several returns.
//---- call
//: global 20
//: arg out=i32[20]
//: expect out = i * i + 1
int square(int x) { return x * x; }
kernel void k(global int* out) {
    int i = get_global_id(0);
    out[i] = square(i) + 1;
}
//---- declared_before_defined
//: global 20
//: arg out=i32[20]
//: expect out = i % 2 == 0
int even(int x);
int odd(int x) { return x == 0 ? 0 : 1 - even(x); }
int even(int x) { return x % 2 == 0; }
kernel void k(global int* out) {
    int i = get_global_id(0);
    out[i] = i ? 1 - odd(i) : even(i);
}
//---- parameters_are_copies
//: global 5
//: arg out=i32[5]
//: expect out = i * 1001 + 7
int spoil(int x) {
    x = x * 1000 + 7;
    return x;
}
kernel void k(global int* out) {
    int i = get_global_id(0);
    out[i] = spoil(i) + i;
}
//---- several_returns
//: global 30
//: arg out=i32[30]
//: expect out = i < 10 ? 1 : i < 20 ? i : i % 2 ? -1 : -2
int pick(int x) {
    if (x < 10) return 1;
    if (x < 20) return x;
    while (x > 0) {
        if (x == 1) return -1;
        x -= 2;
    }
    return -2;
}
kernel void k(global int* out) {
    int i = get_global_id(0);
    out[i] = pick(i);
}
//---- return_from_loops
//: global 24
//: arg out=i32[24]
//: expect out = i < 2 ? i : i % 2 == 0 ? 2 : i % 3 == 0 ? 3 : i
int smallest_factor(int n) {
    for (int d = 2; d * d <= n; d++)
        if (n % d == 0) return d;
    return n;
}
kernel void k(global int* out) {
    int i = get_global_id(0);
    out[i] = smallest_factor(i);
}
//---- nested_calls
//: global 10
//: arg out=i32[10]
//: expect out = ((i + 1) * 2 + 1) * 2 + (i * 2 + 1)
int inc(int x) { return x + 1; }
int twice(int x) { return x * 2; }
kernel void k(global int* out) {
    int i = get_global_id(0);
    out[i] = twice(inc(twice(inc(i)))) + inc(twice(i));
}
//---- void_functions
//: global 10
//: arg out=i32[10]
//: expect out = i < 5 ? i : -i
void put(global int* p, int v) {
    if (v >= 5) {
        *p = -v;
        return;
    }
    *p = v;
}
kernel void k(global int* out) {
    int i = get_global_id(0);
    put(out + i, i);
}
//---- calls_in_conditions
//: global 16
//: arg out=i32[16]
//: arg calls=i32[16]
//: expect out = i > 3 && i < 12
//: expect calls = i > 3 ? 2 : 1
int above(int x, int y, global int* calls) {
    ++*calls;
    return x > y;
}
kernel void k(global int* out, global int* calls) {
    int i = get_global_id(0);
    out[i] = above(i, 3, calls + i) && !above(i, 11, calls + i);
}
//---- call_in_a_divergent_loop
//: global 33
//: arg out=i32[33]
//: expect out = sum(j, 0, i % 9, j % 2 ? j * j : -j)
int term(int j) {
    if (j % 2) return j * j;
    return -j;
}
kernel void k(global int* out) {
    int i = get_global_id(0), sum = 0;
    for (int j = 0; j < i % 9; j++) sum += term(j);
    out[i] = sum;
}
//---- runs_off_its_end
//: global 4
//: arg out=i32[4]
//: not host: C++ leaves it open
//: not opencl: OpenCL C leaves it open
//: expect out = {0, 5, 0, 5}
int maybe(int x) {
    if (x & 1) return 5;
}
kernel void k(global int* out) {
    int i = get_global_id(0);
    out[i] = maybe(i);
}
//---- specifiers
//: global 4
//: arg out=i32[4]
//: expect out = i * 6
static int a(int x) { return x; }
inline static int b(int x) { return x * 2; }
int c(const int x) { return x * 3; }
__attribute__((always_inline)) int d(int x) { return 0 * x; }
__kernel void k(__global int* out) {
    int i = get_global_id(0);
    out[i] = a(i) + b(i) + c(i) + d(i);
}
//---- no_parameters
//: global 4
//: arg out=i32[4]
//: expect out = 42
int answer(void) { return 42; }
kernel void k(global int* out) { out[get_global_id(0)] = answer(); }
//---- helpers_know_their_work_item
//: global 12
//: local 4
//: arg out=i32[12]
//: expect out = i * 10 + i % 4
int where(void) { return get_global_id(0) * 10 + get_local_id(0); }
kernel void k(global int* out) { out[get_global_id(0)] = where(); }
//---- kernel_calls_a_kernel
//: global 8
//: kernel outer
//: arg out=i32[8]
//: expect out = i + 100
kernel void inner(global int* out, int by) { out[get_global_id(0)] += by; }
kernel void outer(global int* out) {
    out[get_global_id(0)] = get_global_id(0);
    inner(out, 100);
}
//---- one_of_several_kernels
//: global 4
//: kernel second
//: arg out=i32[4]
//: expect out = 2
kernel void first(global int* out) { out[get_global_id(0)] = 1; }
kernel void second(global int* out) { out[get_global_id(0)] = 2; }
//---- twenty_helpers_each_twice
//: global 8
//: arg out=i32[8]
//: expect out = i * 256 + 255
int f0(int x) { return x * 2 + 1; }
int f1(int x) { return f0(f0(x)); }
int f2(int x) { return f1(f1(x)); }
int f3(int x) { return f2(f2(x)); }
kernel void k(global int* out) {
    int i = get_global_id(0);
    out[i] = f3(i);
}
//---- scalar_arguments_of_all_types
//: global 1
//: arg a=-5
//: arg b=250
//: arg c=-30000
//: arg d=60000
//: arg e=-7
//: arg f=4000000000
//: arg g=-9000000000
//: arg h=18000000000000000000
//: arg x=0.5
//: arg y=0.1
//: arg out=f64[10]
//: expect out = {-5, 250, -30000, 60000, -7, 4000000000, -9000000000, 18000000000000000000.0, 0.5, 0.1}
kernel void k(char a, uchar b, short c, ushort d, int e, uint f, long g, ulong h, float x, double y,
              global double* out) {
    out[0] = a;
    out[1] = b;
    out[2] = c;
    out[3] = d;
    out[4] = e;
    out[5] = f;
    out[6] = g;
    out[7] = h;
    out[8] = x;
    out[9] = y;
}
//---- many_calls_with_addresses
//: global 40
//: arg out=i32[80]
//: expect out = i < 40 ? i + 256 : 2 * (i - 40) + 1024
#define FOUR(x) x x x x
#define SIXTEEN(x) FOUR(FOUR(x))
int bump(int* p, int* q, int k) {
    int a = *p, b = *q;
    FOUR(a ^= b; b += k; a ^= b - k; b -= k;)
    *p = a + 1;
    *q = b + k;
    return *p;
}
kernel void k(global int* out) {
    int i = get_global_id(0), x = i, y[3] = {0, 2 * i, 0};
    FOUR(SIXTEEN(bump(&x, &y[1], 3); bump(&x, y + 1, 5); bump(&x, &y[1], 3); bump(&x, y + 1, 5);))
    out[i] = x;
    out[i + 40] = y[1] + y[0] + y[2];
}
