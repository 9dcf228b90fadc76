// Pointers to private memory: addresses of variables, elements and members; reinterpretation.
//---- out_parameters
//: global 10
//: arg out=i32[10]
//: expect out = i / 3 * 10 + i % 3
void divide(int a, int b, int* q, int* r) {
    *q = a / b;
    *r = a % b;
}
kernel void k(global int* out) {
    int i = get_global_id(0), q, r;
    divide(i, 3, &q, &r);
    out[i] = q * 10 + r;
}
//---- swapped
//: global 4
//: arg out=i32[4]
//: expect out = 70 + i
void swap(private int* a, private int* b) {
    int t = *a;
    *a = *b;
    *b = t;
}
kernel void k(global int* out) {
    int i = get_global_id(0), a = i, b = 7;
    swap(&a, &b);
    out[i] = a * 10 + b;
}
//---- walking
//: global 8
//: arg out=i32[8]
//: expect out = sum(k, 0, i, k * k)
kernel void k(global int* out) {
    int i = get_global_id(0), a[8], sum = 0;
    for (int* p = a; p < a + 8; p++) *p = (p - a) * (p - a);
    for (int *p = a, *end = a + i; p != end;) sum += *p++;
    out[i] = sum;
}
//---- chosen_by_condition
//: global 6
//: arg out=i32[6]
//: expect out = i % 2 ? 11 * 100 + 20 : 10 * 100 + 21
kernel void k(global int* out) {
    int i = get_global_id(0), a = 10, b = 20;
    int* p = i % 2 ? &a : &b;
    ++*p;
    out[i] = a * 100 + b;
}
//---- pointers_to_pointers
//: global 4
//: arg out=i32[4]
//: expect out = i % 2 ? 5 + 200 : 100 + 5
kernel void k(global int* out) {
    int i = get_global_id(0), a = 100, b = 200;
    int* p = &a;
    int** pp = &p;
    if (i % 2) *pp = &a;
    else *pp = &b;
    *p = 5;
    out[i] = a + b;
}
//---- arrays_of_pointers
//: global 3
//: arg out=i32[3]
//: expect out = 3 - i
kernel void k(global int* out) {
    int i = get_global_id(0), a = 1, b = 2, c = 3;
    int* list[3] = {&c, &b, &a};
    out[i] = *list[i];
}
//---- reinterpreted
//: global 4
//: arg out=i32[4]
//: expect out = {0x04, 0x03, 0x02, 0x01}
kernel void k(global int* out) {
    int i = get_global_id(0);
    uint x = 0x01020304;
    uchar* bytes = (uchar*)&x;
    out[i] = bytes[i];
}
//---- float_bits_by_pointer
//: global 4
//: arg in=f32[4]:rand(8,-10,10)
//: arg out=u32[4]
//: expect out = as_u32(in[i])
kernel void k(global const float* in, global uint* out) {
    int i = get_global_id(0);
    float f = in[i];
    out[i] = *(uint*)&f;
}
//---- aliases
//: global 2
//: arg out=i32[2]
//: expect out = 3
kernel void k(global int* out) {
    int i = get_global_id(0), x = 1, *p = &x, *q = p;
    *p = 2;
    x = 3;
    out[i] = *q;
}
//---- void_pointers
//: global 2
//: arg out=i32[2]
//: expect out = 42 + i
void set(void* p, int v) { *(int*)p = v; }
kernel void k(global int* out) {
    int i = get_global_id(0), x = 0;
    set(&x, 42 + i);
    out[i] = x;
}
//---- address_in_a_loop
//: global 5
//: arg out=i32[5]
//: expect out = i * 3
void add(int* p, int v) { *p += v; }
kernel void k(global int* out) {
    int i = get_global_id(0), n = 0;
    for (int j = 0; j < i; j++) {
        int three = 3;
        int* p = &three;
        add(&n, *p);
    }
    out[i] = n;
}
//---- address_of_a_parameter
//: global 4
//: arg out=i32[4]
//: expect out = i + 10
void add10(int* p) { *p += 10; }
int plus(int x) {
    add10(&x);
    return x;
}
kernel void k(global int* out) {
    int i = get_global_id(0);
    out[i] = plus(i);
}
//---- member_addresses
//: global 4
//: arg out=i32[4]
//: expect out = i * 100 + 6
struct pair {
    int a, b;
};
kernel void k(global int* out) {
    int i = get_global_id(0);
    struct pair p = {0, 0};
    int *a = &p.a, *b = &p.b;
    *a = i * 100;
    *b = b - a;
    b[0] += 5;
    out[i] = p.a + p.b;
}
//---- into_an_array_of_rows
//: global 3
//: arg out=i32[3]
//: expect out = 30 + i
kernel void k(global int* out) {
    int i = get_global_id(0), m[4][3];
    for (int j = 0; j < 12; j++) m[j / 3][j % 3] = j / 3 * 10 + j % 3;
    int(*row)[3] = m;
    row += 3;
    out[i] = (*row)[i];
}
//---- null
//: global 4
//: arg out=i32[4]
//: expect out = i % 2 ? 9 : -1
int get(const int* p) { return p ? *p : -1; }
kernel void k(global int* out) {
    int i = get_global_id(0), nine = 9;
    out[i] = get(i % 2 ? &nine : 0);
}
