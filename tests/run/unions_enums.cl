// union and enum; compound literals, statement expressions, ranges of cases.
//---- union_shows_bits
//: global 4
//: arg in=f32[4]:iota
//: arg out=u32[4]
//: expect out = as_u32(in[i])
union word {
    float f;
    uint u;
};
kernel void k(global const float* in, global uint* out) {
    int i = get_global_id(0);
    union word w;
    w.f = in[i];
    out[i] = w.u;
}
//---- union_of_bytes
//: global 4
//: arg out=i32[4]
//: expect out = {0x44, 0x33, 0x22, 0x11}
kernel void k(global int* out) {
    int i = get_global_id(0);
    union {
        uint whole;
        uchar bytes[4];
    } u;
    u.whole = 0x11223344;
    out[i] = u.bytes[i];
}
//---- union_written_by_bytes
//: global 2
//: arg out=u64[2]
//: expect out = {0x0807060504030201, 0x0807060504030202}
kernel void k(global ulong* out) {
    int i = get_global_id(0);
    union {
        ulong whole;
        uchar bytes[8];
    } u;
    for (int j = 0; j < 8; j++) u.bytes[j] = j + 1;
    u.bytes[0] += i;
    out[i] = u.whole;
}
//---- union_size
//: global 1
//: arg out=u64[2]
//: expect out = {8, 16}
union a {
    char c;
    double d;
    int i;
};
union b {
    char text[9];
    long l;
};
kernel void k(global ulong* out) {
    out[0] = sizeof(union a);
    out[1] = sizeof(union b);
}
//---- union_in_a_struct
//: global 4
//: arg out=i32[4]
//: expect out = i % 2 ? i * 2 : i + 100
struct value {
    int kind;
    union {
        int i;
        float f;
    } as;
};
struct value make(int x) {
    struct value v;
    v.kind = x % 2;
    if (v.kind) v.as.f = x;
    else v.as.i = x;
    return v;
}
kernel void k(global int* out) {
    int i = get_global_id(0);
    struct value v = make(i);
    out[i] = v.kind ? (int)(v.as.f * 2) : v.as.i + 100;
}
//---- members_without_a_name
//: global 2
//: arg out=i32[2]
//: expect out = {3, 1077936128}
struct tagged {
    int tag;
    union {
        int i;
        float f;
    };
};
kernel void k(global int* out) {
    int i = get_global_id(0);
    struct tagged t;
    t.tag = i;
    if (t.tag) t.f = 3.0f;
    else t.i = 3;
    out[i] = t.i;
}
//---- enum_counts
//: global 1
//: arg out=i32[6]
//: expect out = {0, 1, 10, 11, -1, 0}
enum numbers { zero, one, ten = 10, eleven, minus = -1, again };
kernel void k(global int* out) {
    out[0] = zero;
    out[1] = one;
    out[2] = ten;
    out[3] = eleven;
    out[4] = minus;
    out[5] = again;
}
//---- enum_beyond_int
//: global 1
//: arg out=u64[12]
//: not host: in C++ all enumerators have the type of the enumeration
//: expect out = {8, 8, 4, 2147483649, 8, 18446744073709551615, 9223372036854775808, 18446744073709551615, 4294967295, 8, 4, 18446744071562067968}
// Constants that do not fit in an int are uint, long or ulong, whichever holds all of the enumeration.
enum wide { W0 = 0x736f6d6570736575, W1 = 0x80000000, W2, W3 = 3 };
enum negative { N0 = -1, N1 = 0xffffffffu };
enum unsigned_ones { U0 = 0xffffffffu };
enum all_bits { A0 = 0xffffffffffffffff };
enum counted { C0 = 0x7fffffffffffffff, C1 };
kernel void k(global ulong* out) {
    out[0] = sizeof(W0);
    out[1] = sizeof(W1);
    out[2] = sizeof(W3);
    out[3] = W2;
    out[4] = sizeof(enum wide);
    out[5] = A0;
    out[6] = C1;
    out[7] = N0;
    out[8] = N1;
    out[9] = sizeof(enum negative);
    out[10] = sizeof(enum unsigned_ones);
    out[11] = -W1;
}
//---- enum_variables
//: global 6
//: arg out=i32[6]
//: expect out = i % 3 == 0 ? 100 : i % 3 == 1 ? 200 : 300
enum color { red, green, blue };
int code(enum color c) {
    switch (c) {
        case red: return 100;
        case green: return 200;
        case blue: return 300;
    }
    return -1;
}
kernel void k(global int* out) {
    int i = get_global_id(0);
    enum color c = i % 3 == 0 ? red : i % 3 == 1 ? green : blue;
    out[i] = code(c);
}
//---- enum_arithmetic
//: global 4
//: arg out=i32[4]
//: expect out = (1 << i) * 3
typedef enum { shift = 1, factor = 3 } constants;
kernel void k(global int* out) {
    int i = get_global_id(0);
    out[i] = (shift << i) * factor;
}
//---- enum_in_array_length_and_case
//: global 4
//: arg out=i32[4]
//: expect out = i == 3 ? 16 : 0
enum { size = 4, last = size - 1 };
kernel void k(global int* out) {
    int i = get_global_id(0), a[size] = {0};
    switch (i) {
        case last: a[i] = sizeof a;
    }
    out[i] = a[i];
}
//---- enum_in_a_block
//: global 1
//: arg out=i32[2]
//: expect out = {5, 7}
enum { n = 5 };
kernel void k(global int* out) {
    out[0] = n;
    {
        enum { n = 7 };
        out[1] = n;
    }
}
//---- compound_literals
//: global 5
//: arg out=i32[5]
//: expect out = i * 10 + 3
struct pair {
    int a, b;
};
int join(struct pair p) { return p.a * 10 + p.b; }
kernel void k(global int* out) {
    int i = get_global_id(0);
    out[i] = join((struct pair){i, 3});
}
//---- statement_expressions
//: global 6
//: arg out=i32[6]
//: expect out = (i + 1) * (i + 1) + i
kernel void k(global int* out) {
    int i = get_global_id(0);
    out[i] = ({
        int t = i + 1;
        t *= t;
        t;
    }) + i;
}
//---- case_ranges
//: global 12
//: arg out=i32[12]
//: expect out = i < 3 ? 1 : i < 8 ? 2 : i == 10 ? 4 : 3
kernel void k(global int* out) {
    int i = get_global_id(0);
    switch (i) {
        case 0 ... 2: out[i] = 1; break;
        case 3 ... 7: out[i] = 2; break;
        case 10: out[i] = 4; break;
        default: out[i] = 3;
    }
}
//---- thrown_enum_constant_is_an_int
//: global 2
//: arg out=i32[2]
//: not host: it has the type of the enumeration there
//: not opencl: no exceptions there
//: expect out = {4, 1}
enum failure { none, broken = 4 };
kernel void k(global int* out) {
    int i = get_global_id(0);
    try {
        if (i == 0) throw broken;
        out[i] = 1;
    } catch (int v) {
        out[i] = v;
    }
}
