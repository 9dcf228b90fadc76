//---- operands
kernel void k(global int* out, float f) {
    out[0] = f % 2;
    out[1] = f & 1;
    out[2] = ~f;
    out[3] = out * 2;
    out[4] = f << 1;
    out[5] = -out;
    out[6] = out + out;
    out[7] = !f;
}
//---- not_a_pointer
kernel void k(global int* out, int n) {
    *n = 1;
    n[0] = 2;
    out[1.5f] = 3;
    n->x = 4;
    n.x = 5;
}
//---- initialize
kernel void k(global int* out, global float* f) {
    int x = out;
    global int* p = 3;
    global int* q = f;
    local int* l = out;
    out[0] = x + p[0] + q[0] + l[0];
}
//---- assign
kernel void k(global int* out, constant int* table) {
    out = 2.0f;
    out = table;
    out[0] = table;
}
//---- pass
float half_of(float x) { return x / 2; }
void fill(global int* p) { p[0] = 1; }
kernel void k(global int* out, global const int* in) {
    out[0] = half_of(out);
    fill(out[0]);
    fill(in);
}
//---- count_of_arguments
int add(int a, int b) { return a + b; }
kernel void k(global int* out) {
    out[0] = add(1);
    out[1] = add(1, 2, 3, 4);
    out[2] = get_global_id();
    out[3] = sqrt(1.0f, 2.0f);
}
//---- void_values
void nothing(int x) { }
kernel void k(global int* out) {
    int x = nothing(1);
    out[0] = nothing(2) + 1;
    if (nothing(3)) out[1] = 2;
    void v;
}
//---- not_assignable
kernel void k(global int* out, int n) {
    n + 1 = 2;
    3 = n;
    sqrt(2.0f) = 1;
    (n)++ ++;
    &n = 0;
    out[0] ? n : n = 3;
}
//---- const_objects
kernel void k(global int* out, global const int* in, constant int* table) {
    const int limit = 3;
    limit = 4;
    limit++;
    in[0] = 1;
    table[0] += 2;
    *in = 3;
}
//---- address_of
kernel void k(global int* out, int n) {
    global int* p = &3;
    p = &(n + 1);
    p = &n;
    p = &out;
}
//---- type_words
kernel void k(global int* out) {
    unsigned float a;
    long long b;
    short double c;
    signed unsigned d;
    int float e;
    out[0] = a + b + c + d + e;
}
//---- conditional_operands
kernel void k(global int* out, global float* f, int n) {
    out[0] = n ? out : f;
    out[1] = n ? 1 : out;
    out[2] = (n ? out : 0)[0];
}
//---- casts
struct pair { int a, b; };
kernel void k(global int* out, float f) {
    struct pair p = {1, 2};
    out[0] = (int)p;
    out[1] = (global int*)f;
    out[2] = ((local int*)out)[0];
    p = (struct pair)3;
}
//---- conditions
struct pair { int a, b; };
kernel void k(global int* out) {
    struct pair p = {1, 2};
    if (p) out[0] = 1;
    while (p) out[0] = 2;
    switch (1.5f) { case 1: out[1] = 1; }
    out[2] = !p + (p && 1);
}
//---- compared_structs
struct pair { int a, b; };
kernel void k(global int* out) {
    struct pair p = {1, 2}, q = p;
    out[0] = p == q;
    out[1] = p + q;
}
//---- conversions_by_name
kernel void k(global int* out, global float* f) {
    out[0] = as_int(1.0);
    out[1] = as_short(out[0]);
    out[2] = convert_int(f);
}
//---- no_form_of_a_builtin
kernel void k(global int* out, global float* f) {
    out[0] = clz(1.5f);
    f[0] = sqrt(f);
    out[1] = mul24(1.0f, 2);
}
//---- kernels
kernel int result(global int* out) { return out[0]; }
kernel void flag(global int* out, bool b) { out[0] = b; }
kernel void twice(global int* global* out) { }
struct s { global int* p; };
//---- required_size
__attribute__((reqd_work_group_size(64))) kernel void a(global int* out) { out[0] = 1; }
__attribute__((reqd_work_group_size(64, 0, 1))) kernel void b(global int* out) { out[0] = 1; }
__attribute__((reqd_work_group_size(x, 1, 1))) kernel void c(global int* out) { out[0] = 1; }
//---- arrays
kernel void k(global int* out, int n) {
    int a[n];
    int b[-1];
    int c[2] = {1, 2, 3};
    int d[] = {1, 2};
    int e[];
    a = b;
    out[0] = d[0] + c[0];
    c = d;
}
//---- structs
struct node { int value; struct node next; };
struct pair { int a; float a; };
struct empty e;
struct pair { int c; };
kernel void k(global int* out) {
    struct unknown u;
    struct pair p = 3;
    out[0] = p;
}
//---- returns
int f(int x) { return; }
void g(int x) { return x; }
int h(global int* p) { return p; }
kernel void k(global int* out) { return 1; }
//---- no_members
struct Empty {};
struct Behind { struct Empty e; int x; };
kernel void k(global int* out) {
    struct Behind b = {0}, c = {{}, 5};
    union Nothing {} n[2] = {0};
    out[0] = b.x + c.x;
}
//---- arrays_without_a_length_in_structs
struct alone { int x[]; };
struct first { int x[]; int n; };
union either { int n; int x[]; };
struct tail { int n; int x[]; };
kernel void k(global int* out) {
    struct tail a = {1, {2, 3}}, b = {.x = {1}}, c = {1, 2}, d = {.x[0] = 3};
    out[0] = sizeof(a.x) + b.n + c.n + d.n;
    a.x = b.x;
}
