//---- undeclared_variable
kernel void k(global int* out) {
    int count = 1;
    out[0] = cuont + Count;
    out[1] = something_else;
}
//---- undeclared_function
float scale(float x) { return x * 2; }
kernel void k(global int* out) {
    out[0] = get_globalid(0);
    out[1] = scael(2.0f);
    out[2] = unheard_of(1, 2);
}
//---- undeclared_label
kernel void k(global int* out) {
    goto finish;
    goto nowhere;
finished:
    out[0] = 1;
}
//---- out_of_scope
kernel void k(global int* out) {
    for (int i = 0; i < 3; i++) { int inner = i; out[i] = inner; }
    out[3] = inner;
    out[4] = i;
}
//---- redefined_variable
kernel void k(global int* out, int n) {
    int a = 1;
    float a = 2;
    out[0] = a;
    { int a = 3; out[1] = a; }
}
//---- redefined_function
int f(int x) { return x; }
int f(int x) { return x + 1; }
float f(int x);
kernel void k(global int* out) { out[0] = f(1); }
//---- redefined_label
kernel void k(global int* out) {
again: out[0]++;
again: if (out[0] < 3) goto again;
}
//---- redefined_parameter
kernel void k(global int* out, int n, float n) { out[0] = n; }
//---- function_as_variable
int f(int x) { return x; }
kernel void k(global int* out) {
    int f2 = 3;
    out[0] = f2(1);
    out[1] = sqrt;
}
//---- type_as_value
typedef int number;
kernel void k(global int* out) {
    out[0] = number;
    out[1] = int;
}
//---- misspelt_attribute
__attribute__((reqd_workgroup_size(64, 1, 1))) kernel void k(global int* out) { out[0] = 1; }
__attribute__((alwaysinline)) int f(int x) { return x; }
//---- misspelt_member
struct pair { int first, second; };
kernel void k(global int* out) {
    struct pair p = {.frist = 1, .second = 2};
    out[0] = p.secnod;
    out[1] = p.third;
    global int* q = out;
    out[2] = (p.secod) + q.x;
}
//---- dot_and_arrow
struct pair { int first, second; };
int sum(struct pair* p, struct pair q) { return p.first + q->second; }
kernel void k(global int* out) {
    struct pair p = {1, 2};
    out[0] = sum(&p, p);
}
//---- never_defined
int later(int x);
kernel void k(global int* out) { out[0] = later(1); }
//---- recursion
int odd(int n);
int even(int n) { return n == 0 ? 1 : odd(n - 1); }
int odd(int n) { return n == 0 ? 0 : even(n - 1); }
kernel void k(global int* out) { out[0] = even(out[1]); }
//---- misspelt_warning -Wunused-varable -Wno-unusd-label -Wzebra
kernel void k(global int* out) { out[0] = 1; }
