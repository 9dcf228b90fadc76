//---- a_copy_for_each_call
int f0(int x) { barrier(1); return x + 1; }
int f1(int x) { return f0(x) + f0(x + 1); }
int f2(int x) { return f1(x) + f1(x + 1); }
int f3(int x) { return f2(x) + f2(x + 1); }
int f4(int x) { return f3(x) + f3(x + 1); }
int f5(int x) { return f4(x) + f4(x + 1); }
int f6(int x) { return f5(x) + f5(x + 1); }
int f7(int x) { return f6(x) + f6(x + 1); }
int f8(int x) { return f7(x) + f7(x + 1); }
int f9(int x) { return f8(x) + f8(x + 1); }
int g0(int x) { return f9(x) + f9(x + 1); }
int g1(int x) { return g0(x) + g0(x + 1); }
int g2(int x) { return g1(x) + g1(x + 1); }
int g3(int x) { return g2(x) + g2(x + 1); }
int g4(int x) { return g3(x) + g3(x + 1); }
int g5(int x) { return g4(x) + g4(x + 1); }
int g6(int x) { return g5(x) + g5(x + 1); }
int g7(int x) { return g6(x) + g6(x + 1); }
int g8(int x) { return g7(x) + g7(x + 1); }
kernel void k(global int* out) { out[0] = g8(out[0]); }
//---- ok_without_a_barrier
int f0(int x) { return x + 1; }
int f1(int x) { return f0(x) + f0(x + 1); }
int f2(int x) { return f1(x) + f1(x + 1); }
int f3(int x) { return f2(x) + f2(x + 1); }
int f4(int x) { return f3(x) + f3(x + 1); }
int f5(int x) { return f4(x) + f4(x + 1); }
int f6(int x) { return f5(x) + f5(x + 1); }
int f7(int x) { return f6(x) + f6(x + 1); }
int f8(int x) { return f7(x) + f7(x + 1); }
int f9(int x) { return f8(x) + f8(x + 1); }
int g0(int x) { return f9(x) + f9(x + 1); }
int g1(int x) { return g0(x) + g0(x + 1); }
int g2(int x) { return g1(x) + g1(x + 1); }
int g3(int x) { return g2(x) + g2(x + 1); }
int g4(int x) { return g3(x) + g3(x + 1); }
int g5(int x) { return g4(x) + g4(x + 1); }
int g6(int x) { return g5(x) + g5(x + 1); }
kernel void k(global int* out) { out[0] = g6(out[0]); }
//---- shared_region_with_a_barrier
void wait(void) { barrier(1); }
__attribute__((shared_region)) int f(int x) {
    if (x) wait();
    return x;
}
kernel void k(global int* out) { out[0] = f(1) + f(2); }
//---- shared_region_and_inline
__attribute__((shared_region, always_inline)) int f(int x) { return x; }
__attribute__((always_inline)) int g(int x);
__attribute__((shared_region)) int g(int x) { return x; }
int g(int x);
kernel void k(global int* out) { out[0] = f(1) + g(2); }
//---- shared_kernel
__attribute__((shared_region)) kernel void k(global int* out) { out[0] = 1; }
//---- shared_region_with_an_argument
__attribute__((shared_region(2))) int f(int x) { return x; }
kernel void k(global int* out) { out[0] = f(1); }
//---- ok_shared_region
__attribute__((__shared_region__)) int f(int x);
__attribute__((noinline)) int f(int x) { return x; }
kernel void k(global int* out) { out[0] = f(1); }
//---- values_during_calls
__attribute__((shared_region)) int f(int x) { return x; }
#define A(n) int a##n = f(n);
#define B(n) A(n##0) A(n##1) A(n##2) A(n##3) A(n##4) A(n##5) A(n##6) A(n##7) A(n##8) A(n##9)
#define C(n) B(n##0) B(n##1) B(n##2) B(n##3) B(n##4) B(n##5) B(n##6) B(n##7) B(n##8) B(n##9)
#define X(n) ^ a##n
#define Y(n) X(n##0) X(n##1) X(n##2) X(n##3) X(n##4) X(n##5) X(n##6) X(n##7) X(n##8) X(n##9)
#define Z(n) Y(n##0) Y(n##1) Y(n##2) Y(n##3) Y(n##4) Y(n##5) Y(n##6) Y(n##7) Y(n##8) Y(n##9)
kernel void k(global int* out) {
    C(1) C(2) C(3) C(4)
    out[0] = 0 Z(1) Z(2) Z(3) Z(4);
}
