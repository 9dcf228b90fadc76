// struct: members, nesting, assignment, parameters and results, layout, in global memory.
//---- members
//: global 10
//: arg out=i32[10]
//: expect out = i * 2 + 100
struct pair {
    int a, b;
};
kernel void k(global int* out) {
    int i = get_global_id(0);
    struct pair p;
    p.a = i;
    p.b = 100;
    p.a += i;
    out[i] = p.a + p.b;
}
//---- assignment_copies
//: global 4
//: arg out=i32[4]
//: expect out = i * 10 + 7
struct pair {
    int a, b;
};
kernel void k(global int* out) {
    int i = get_global_id(0);
    struct pair p = {i, 7}, q;
    q = p;
    p.a = p.b = -1;
    out[i] = q.a * 10 + q.b;
}
//---- parameters_are_copies
//: global 4
//: arg out=i32[4]
//: expect out = (i + 5) * 100 + i
typedef struct {
    int x, y;
} point;
int spoil(point p) {
    p.x += 5;
    return p.x;
}
kernel void k(global int* out) {
    int i = get_global_id(0);
    point p = {i, 0};
    out[i] = spoil(p) * 100 + p.x;
}
//---- results
//: global 12
//: arg out=i32[12]
//: expect out = (i - 6) / 4 * 100 + (i - 6) % 4
struct division {
    int quotient, remainder;
};
struct division divide(int a, int b) {
    struct division d;
    d.quotient = a / b;
    d.remainder = a % b;
    return d;
}
kernel void k(global int* out) {
    int i = get_global_id(0);
    struct division d = divide(i - 6, 4);
    out[i] = d.quotient * 100 + d.remainder;
}
//---- member_of_a_result
//: global 5
//: arg out=i32[5]
//: expect out = i * i
typedef struct {
    int value, square;
} both;
both make(int x) { return (both){x, x * x}; }
kernel void k(global int* out) {
    int i = get_global_id(0);
    out[i] = make(i).square;
}
//---- nested
//: global 6
//: arg out=i32[6]
//: expect out = 30 + i * 3
struct inner {
    int a, b;
};
struct outer {
    struct inner first;
    int middle;
    struct inner last;
};
kernel void k(global int* out) {
    int i = get_global_id(0);
    struct outer o = {{10, i}, 20, {i, i}};
    o.middle += i;
    o.last = o.first;
    o.last.a = i;
    out[i] = o.first.a + o.first.b + o.middle + o.last.a;
}
//---- with_arrays
//: global 8
//: arg out=i32[8]
//: expect out = (i + 1) * (i + 2) / 2 + 8
struct list {
    int count;
    int items[8];
};
kernel void k(global int* out) {
    int i = get_global_id(0), sum = 0;
    struct list l;
    l.count = 0;
    for (int j = 0; j <= i; j++) l.items[l.count++] = j + 1;
    struct list copy = l;
    for (int j = 0; j < 8; j++) l.items[j] = 1000;
    for (int j = 0; j < copy.count; j++) sum += copy.items[j];
    out[i] = sum + sizeof(copy.items) / 4;
}
//---- arrays_of_structs
//: global 5
//: arg out=i32[5]
//: expect out = i * 10 + (4 - i)
struct pair {
    int a, b;
};
kernel void k(global int* out) {
    int i = get_global_id(0);
    struct pair list[5];
    for (int j = 0; j < 5; j++) {
        list[j].a = j * 10;
        list[j].b = 4 - j;
    }
    out[i] = list[i].a + list[i].b;
}
//---- pointers_to_structs
//: global 6
//: arg out=i32[6]
//: expect out = i * 2 + 1
struct counter {
    int value, step;
};
void advance(struct counter* c) { c->value += c->step; }
kernel void k(global int* out) {
    int i = get_global_id(0);
    struct counter c = {1, i};
    struct counter* p = &c;
    advance(p);
    advance(&c);
    out[i] = (*p).value;
}
//---- in_global_memory
//: global 8
//: arg p=i32[16]:iota
//: arg out=i32[8]
//: expect out = p[2 * i] * 100 + p[2 * i + 1]
//: expect p = i % 2 ? i : i + 1000
struct pair {
    int a, b;
};
kernel void k(global struct pair* p, global int* out) {
    int i = get_global_id(0);
    out[i] = p[i].a * 100 + p[i].b;
    p[i].a += 1000;
}
//---- copied_to_and_from_global_memory
//: global 4
//: arg from=i32[12]:iota
//: arg to=i32[12]
//: expect to = i % 3 == 1 ? -from[i] : from[i]
typedef struct {
    int x, y, z;
} triple;
kernel void k(global const triple* from, global triple* to) {
    int i = get_global_id(0);
    triple t = from[i];
    t.y = -t.y;
    to[i] = t;
}
//---- layout_is_that_of_c
//: global 1
//: arg out=u64[8]
//: expect out = {24, 1, 16, 8, 8, 4, 12, 2}
struct mixed {
    char a;
    double b;
    short c;
};
struct bytes {
    char a;
};
struct holder {
    int a;
    struct {
        char c;
        int d;
    } b;
};
struct narrow {
    char a, b;
};
kernel void k(global ulong* out) {
    struct mixed m;
    out[0] = sizeof(struct mixed);
    out[1] = sizeof(struct bytes);
    out[2] = (ulong)&m.c - (ulong)&m;
    out[3] = (ulong)&m.b - (ulong)&m;
    out[4] = sizeof(((struct holder*)0)->b);
    out[5] = sizeof(int);
    out[6] = sizeof(struct holder);
    out[7] = sizeof(struct narrow);
}
//---- of_all_scalar_types
//: global 3
//: arg out=f64[3]
//: expect out = -1 - i + 200 + -30000 + 60000 + 5 + 4000000000 - 9000000000 + 0.5 + 0.25
struct all {
    char a;
    uchar b;
    short c;
    ushort d;
    int e;
    uint f;
    long g;
    float h;
    double j;
};
kernel void k(global double* out) {
    int i = get_global_id(0);
    struct all s = {-1 - i, 200, -30000, 60000, 5, 4000000000u, -9000000000L, 0.5f, 0.25};
    struct all t = s;
    out[i] = t.a + t.b + t.c + t.d + t.e + (double)t.f + t.g + t.h + t.j;
}
//---- chosen_by_condition
//: global 6
//: arg out=i32[6]
//: expect out = i % 2 ? 1 : 20
struct pair {
    int a, b;
};
kernel void k(global int* out) {
    int i = get_global_id(0);
    struct pair p = {1, 2}, q = {10, 20};
    struct pair r = i % 2 ? p : q;
    out[i] = i % 2 ? r.a : r.b;
}
//---- designated_members
//: global 1
//: arg out=i32[3]
//: expect out = {0, 5, 6}
struct triple {
    int a, b, c;
};
kernel void k(global int* out) {
    struct triple t = {.b = 5, .c = 6};
    out[0] = t.a;
    out[1] = t.b;
    out[2] = t.c;
}
//---- members_that_are_global_pointers
//: global 6
//: arg in=i32[12]:iota
//: arg out=i32[6]
//: expect out = in[i + 6] + in[i]
struct view {
    global const int* data;
    int length;
};
int at(struct view v, int i) { return i < v.length ? v.data[i] : -1; }
kernel void k(global const int* in, global int* out) {
    int i = get_global_id(0);
    struct view low = {in, 6}, high = {in + 6, 6};
    out[i] = at(low, i) + at(high, i);
}
//---- linked_in_an_array
//: global 4
//: arg out=i32[4]
//: expect out = i == 0 ? 0 : i == 1 ? 4 : i == 2 ? 43 : 432
struct node {
    int value, next;
};
kernel void k(global int* out) {
    int i = get_global_id(0), n = 0, at = 3;
    struct node nodes[4] = {{1, -1}, {2, 0}, {3, 1}, {4, 2}};
    for (int step = 0; step < i; step++) {
        n = n * 10 + nodes[at].value;
        at = nodes[at].next;
    }
    out[i] = n;
}
//---- linked_by_pointers
//: global 3
//: arg out=i32[3]
//: expect out = 321 + i
struct node {
    int value;
    struct node* next;
};
kernel void k(global int* out) {
    int i = get_global_id(0), n = 0;
    struct node a = {1 + i, 0}, b = {2, &a}, c = {3, &b};
    for (struct node* p = &c; p; p = p->next) n = n * 10 + p->value;
    out[i] = n;
}
//---- without_a_name
//: global 4
//: arg out=i32[4]
//: expect out = i * 3
kernel void k(global int* out) {
    int i = get_global_id(0);
    struct {
        int x, y;
    } s = {i, 2 * i};
    out[i] = s.x + s.y;
}
//---- names_in_inner_scopes
//: global 1
//: arg out=u64[2]
//: expect out = {8, 4}
struct s {
    long a;
};
kernel void k(global ulong* out) {
    out[0] = sizeof(struct s);
    struct s {
        int a;
    };
    out[1] = sizeof(struct s);
}
//---- thrown
//: global 8
//: arg out=i32[8]
//: not opencl: no exceptions there
//: expect out = i % 2 ? i * 100 + 9 : i
struct problem {
    int code;
    float weight;
};
int check(int x) {
    if (x % 2) {
        struct problem p = {x, 9.5f};
        throw p;
    }
    return x;
}
kernel void k(global int* out) {
    int i = get_global_id(0);
    try {
        out[i] = check(i);
    } catch (int) {
        out[i] = -1;
    } catch (struct problem p) {
        out[i] = p.code * 100 + (int)p.weight;
    }
}
//---- complex_multiplication
//: global 16
//: flags -ffp-contract=off
//: arg z=f32[32]:rand(4,-1,1)
//: arg out=f32[32]
//: expect out = i % 2 ? z[i - 1] * z[i] + z[i] * z[i - 1] : z[i] * z[i] - z[i + 1] * z[i + 1]
typedef struct {
    float re, im;
} complex_number;
complex_number times(complex_number a, complex_number b) {
    complex_number c;
    c.re = a.re * b.re - a.im * b.im;
    c.im = a.re * b.im + a.im * b.re;
    return c;
}
kernel void k(global const complex_number* z, global complex_number* out) {
    int i = get_global_id(0);
    out[i] = times(z[i], z[i]);
}
//---- kernel_parameters
//: not host: called with one argument for each number
//: global 4
//: arg p=(5,-1,10,20,30,2.5,7)
//: arg n=100
//: arg q=(8,9)
//: arg out=f64[4]
//: expect out = i == 0 ? 5 - 1 + 60 + 2.5 + 7 : i == 1 ? 108 : i == 2 ? 9 : 31
struct params {
    char tag;
    short s;
    int list[3];
    double d;
    union {
        uint u;
        uchar bytes[4];
    };
};
typedef struct {
    int x, y;
} pair;
double sum(struct params p) { return p.tag + p.s + p.list[0] + p.list[1] + p.list[2] + p.d + p.bytes[0]; }
kernel void k(struct params p, int n, const pair q, global double* out) {
    int i = get_global_id(0);
    struct params* r = &p;
    r->list[2] += i > 2;
    out[i] = i == 0 ? sum(p) : i == 1 ? n + q.x : i == 2 ? q.y : p.list[2];
}
//---- what_initializers_have_no_place_for_is_left_out
//: global 1
//: arg out=i32[8]
//: expect out = {4, 0, 3, 5, 1, 9, 98, 2}
//: not host: C++ refuses what C warns of
//: not opencl: clang leaves out the designator behind the ones too many
typedef struct {
    ushort a;
    int b;
} pair;
kernel void k(global int* out) {
    pair p = {{4, -10}};
    int x = {3, 4}, y = {{5}}, z[2] = {1, 2, 3, 4, [1] = 9}, ignored[1] = {2, out[0] = 77};
    char text[2] = "abc";
    out[0] = p.a;
    out[1] = p.b;
    out[2] = x;
    out[3] = y;
    out[4] = z[0];
    out[5] = z[1];
    out[6] = text[1];
    out[7] = ignored[0];
}
//---- packed_members
//: global 8
//: arg bytes=u8[256]:iota
//: not host: vectors, and bits of a union
//: arg out=i64[80]
//: expect out = 1
struct __attribute__((packed)) tight { char c; int i; double d; short s; uchar3 three; float4 v; };
typedef struct { char c; struct { int a; short b; } in; } __attribute__((packed)) nested;
struct one { char c; int i __attribute__((packed)); float f; };
struct far { char c; int i __attribute__((aligned(16))); char last; };
union __attribute__((packed)) either { int i; char c[5]; };
constant struct tight table[2] = {{1, 2, 3.5, 4, (uchar3)(5, 6, 7), (float4)(8, 9, 10, 11)}, {-1, -2, -3.5, -4}};
int first(struct tight t) { return t.i + t.s; }
kernel void k(global uchar* bytes, global long* out) {
    int n = get_global_id(0);
    global long* o = out + 10 * n;
    global struct tight* g = (global struct tight*)(bytes + n * 30 + 1);
    o[0] = sizeof(struct tight) == 35 && sizeof(nested) == 9 && sizeof(struct one) == 12 && sizeof(struct far) == 32 && sizeof(union either) == 5;
    int b = n * 30 + 2;
    o[1] = g->i == (b | (b + 1) << 8 | (b + 2) << 16 | (b + 3) << 24) || b + 3 > 255;
    struct tight t = table[n & 1];
    t.i += n;
    t.d *= 2;
    t.v.yz = (float2)(n, -n);
    t.v[n & 3] += 1;
    struct tight copy = t;
    o[2] = copy.i == (n & 1 ? -2 : 2) + n && copy.d == (n & 1 ? -7.0 : 7.0);
    o[3] = copy.v.y == n + ((n & 3) == 1) && copy.v.z == -n + ((n & 3) == 2) && copy.v.x == (n & 1 ? 0 : 8) + ((n & 3) == 0);
    o[4] = first(copy) == copy.i + (n & 1 ? -4 : 4) && (n & 1 || copy.three.z == 7);
    nested x[3] = {{1, {2, 3}}, {4, {5, 6}}};
    x[2].in = x[1].in;
    x[2].in.a += n;
    private int* aside = &x[0].in.a;
    o[5] = x[2].in.a == 5 + n && x[2].in.b == 6 && x[2].c == 0 && x[0].in.b == 3 && (private char*)aside - (private char*)x == 1;
    struct one z = {1, n * 1000, 2.5f};
    struct one* p = &z;
    p->i -= 7;
    o[6] = z.i == n * 1000 - 7 && z.f == 2.5f && (private char*)&z.f - (private char*)&z == 8;
    struct far w = {1, 2, 3};
    o[7] = (private char*)&w.i - (private char*)&w == 16 && w.last == 3;
    union either e;
    e.i = 0x01020304;
    e.c[1] = n;
    o[8] = e.i == (0x01020004 | n << 8);
    o[9] = ({ struct tight made = {.s = n, .i = -n}; made.s - made.i; }) == 2 * n;
}
//---- without_members
//: global 1
//: arg out=i32[5]
//: expect out = {0, 4, 5, 0, 3}
//: not host: in C++ every object has a size
struct nothing {};
union neither {};
struct some {
    struct nothing first;
    int x;
    struct nothing last[3];
};
struct nothing pass(struct nothing* p, int n) {
    struct nothing list[2] = {{}, {}};
    list[n & 1] = *p;
    return list[n >> 1 & 1];
}
kernel void k(global int* out) {
    struct nothing a = {}, b = pass(&a, out[0]);
    struct some s = {{}, 5}, t = s;
    t.first = b;
    t.last[out[1]] = a;
    out[0] = sizeof(struct nothing);
    out[1] = sizeof(struct some);
    out[2] = t.x;
    out[3] = sizeof(t.last) + sizeof(union neither);
    out[4] = 3;
}
//---- values_of_parts
//: not host: vectors
//: global 8
//: arg out=f32[8]
//: expect out = i < 4 ? i + 11 : 3 * i + 22
struct inner {
    float2 at;
    bool used;
};
struct outer {
    int number;
    struct inner in;
    float last;
};
struct outer make(int number, float x, bool used) {
    struct outer o = {number, {(float2)(x, x + 1.0f), used}, 9.0f};
    return o;
}
float sum(struct outer o) { return o.in.used ? o.in.at.x + o.in.at.y + o.last : o.in.at.yx.s0; }
kernel void k(global float* out) {
    int i = get_global_id(0);
    struct outer low = make(i, 0.5f, true);
    struct outer one = i < 4 ? low : make(2, i + 11.0f, true);
    one.in.at.x = one.in.used ? make(i, i + 0.5f, false).in.at.x : -1.0f;
    out[i] = i < 4 ? sum(one) : sum(one) + one.in.at.x;
}
//---- a_parameter_that_changes_is_a_variable
//: global 8
//: arg out=i32[8]
//: expect out = i < 4 ? 10 * i + 3 : i - 1
struct pair {
    int a, b;
};
int count(struct pair p, int steps) {
    while (steps-- > 0) p.a += p.b;
    return p.a;
}
int early(struct pair p, int n) {
    if (n < 4) return count(p, 10) + 3;
    return p.b - 1;
}
kernel void k(global int* out) {
    int i = get_global_id(0);
    struct pair p = {0, i};
    int result = early(p, i);
    out[i] = p.a == 0 ? result : -1;
}
//---- without_an_initializer_parts_are_0
//: not host: C++ refuses a jump past an initialised variable
//: global 6
//: arg out=i32[6]
//: expect out = i < 3 ? 5 : i
struct pair {
    int a, b;
};
kernel void k(global int* out) {
    int i = get_global_id(0);
    if (i < 3) goto inside;
    {
        struct pair p = {i, 7};
        out[i] = p.a;
        if (i > 3) return;
    inside:
        out[i] = p.a + (i < 3 ? 5 : 0);
    }
    struct pair none;
    out[i] += none.a + none.b;
}
//---- the_address_of_a_member_makes_it_memory
//: global 4
//: arg out=i32[4]
//: expect out = 3 * i + 2
struct pair {
    int a;
    struct {
        int b, c;
    } in;
};
void add(int* to, int n) { *to += n; }
kernel void k(global int* out) {
    int i = get_global_id(0);
    struct pair p = {i, {i, 1}}, q = p;
    add(&p.in.b, i);
    add(&p.in.c, 1);
    q.in = p.in;
    out[i] = q.a + q.in.b + q.in.c;
}
//---- an_argument_is_what_it_was_when_it_was_passed
//: not host: C++ leaves the order open
//: global 4
//: arg out=i32[4]
//: expect out = 100 * i + 10 * (i + 1) + i
int digits(int a, int b, int c) { return 100 * a + 10 * b + c; }
int change(int* p) {
    int old = *p;
    *p += 1;
    return old;
}
kernel void k(global int* out) {
    int i = get_global_id(0), n = i, m = i;
    out[i] = digits(change(&n), n, m);
    if (m != i) out[i] = -1;
}
