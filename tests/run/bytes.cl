//---- copies_of_bytes_between_spaces
//: not host: pointers to any memory
//: global 4
//: local 4
//: arg in=u32[4]:iota
//: arg out=u32[12]
//: expect out = {0, 1, 2, 3, 3, 2, 1, 0, 7, 8, 9, 10}
constant uint table[4] = {7, 8, 9, 10};
kernel void k(global const uint* in, global uint* out) {
    local uint shared[4];
    int i = get_global_id(0);
    uint own = 0;
    __builtin_memcpy(&own, in + i, sizeof own);
    __builtin_memcpy(&shared[i], &own, 4);
    barrier(CLK_LOCAL_MEM_FENCE);
    __builtin_memcpy(out + i, shared + i, 4);
    __builtin_memcpy(out + 4 + i, shared + 3 - i, 4);
    if (i == 0) __builtin_memcpy(out + 8, table, sizeof table);
}
//---- copies_of_a_size_from_the_arguments
//: not host: pointers to any memory
//: global 5
//: arg in=u8[16]:iota
//: arg out=u8[80]:fill(99)
//: expect out = i % 16 < i / 16 * 3 ? i % 16 : 99
kernel void k(global const uchar* in, global uchar* out) {
    int i = get_global_id(0);
    __builtin_memcpy(out + 16 * i, in, 3 * i);
}
//---- copies_reinterpret
//: not host: builtin functions of clang
//: global 3
//: arg in=f32[3]:fill(1.5)
//: arg out=u32[3]
//: arg halves=u16[6]
//: expect out = 0x3fc00000
//: expect halves = i % 2 ? 0x3fc0 : 0
kernel void k(global const float* in, global uint* out, global ushort* halves) {
    int i = get_global_id(0);
    float f = in[i];
    uint bits;
    __builtin_memcpy(&bits, &f, sizeof(bits));
    out[i] = bits;
    __builtin_memcpy(halves + 2 * i, &f, 4);
}
//---- copies_of_structs
//: not host: builtin functions of clang
//: global 2
//: arg out=i32[80]
//: expect out = i % 40 + i / 40 * 100
struct many { int n[40]; };
kernel void k(global int* out) {
    struct many a, b;
    for (int n = 0; n < 40; n++) a.n[n] = n + 100 * (int)get_global_id(0);
    __builtin_memset(&b, 0xff, sizeof b);
    __builtin_memcpy(&b, &a, sizeof(struct many));
    __builtin_memcpy(out + 40 * get_global_id(0), &b, sizeof b);
}
//---- bytes_set
//: not host: pointers to any memory
//: global 4
//: arg n=3
//: arg out=u32[16]:fill(7)
//: arg big=u64[64]
//: expect out = i % 4 == 0 ? 0 : i % 4 == 1 ? 0xa5a5a5a5 : i % 4 == 2 ? 0x00ffffff : 7
//: expect big = 0x4141414141414141
kernel void k(global uint* out, global ulong* big, int n) {
    int i = get_global_id(0);
    __builtin_memset(out + 4 * i, 0, 4);
    __builtin_memset(out + 4 * i + 1, 0xa5, 4);
    out[4 * i + 2] = 0;
    __builtin_memset(out + 4 * i + 2, -1, n);
    __builtin_memset(out + 4 * i + 3, 1, n - 3);
    if (i == 0) __builtin_memset(big, 'A', 512);
}
//---- ranges_of_elements
//: not host: not C++
//: global 1
//: arg out=i32[20]
//: expect out = {1, 1, 5, 5, 5, 9, 0, 0, 3, 4, 3, 4, 3, 4, 2, 2, 2, 1, 6, 6}
constant int table[8] = {[0 ... 4] = 1, [2 ... 4] = 5, 9};
constant char text[] = {[3 ... 5] = 2};
kernel void k(global int* out) {
    struct pair { int a, b; } pairs[3] = {[0 ... 2] = {3, 4}};
    int calls = 0;
    int own[3] = {[1 ... 2] = ++calls};
    int open[] = {[0 ... 1] = 6};
    for (int i = 0; i < 8; i++) out[i] = table[i];
    for (int i = 0; i < 3; i++) out[8 + 2 * i] = pairs[i].a, out[9 + 2 * i] = pairs[i].b;
    for (int i = 0; i < 3; i++) out[14 + i] = text[3 + i] + own[0];
    out[17] = own[1] == 1 && own[2] == 1 && calls == 1 && sizeof text == 6 && sizeof open == 8;
    out[18] = open[0];
    out[19] = open[1];
}
//---- dot_products_of_bytes
//: not host: vectors
//: not opencl: an extension
//: global 1
//: arg out=i64[12]
//: expect out = {260100, 65536, -130560, -130560, 260105, 4294967295, 2147483647, -2147483648, 300, -28, -28, 4}
kernel void k(global long* out) {
    uchar4 u = (uchar4)(255);
    char4 s = (char4)(-128);
    out[0] = dot(u, u);
    out[1] = dot(s, s);
    out[2] = dot(s, u);
    out[3] = dot(u, s);
    out[4] = dot_acc_sat(u, u, 5u);
    out[5] = dot_acc_sat(u, u, 0xfffffff0u);
    out[6] = dot_acc_sat(s, s, 0x7ffffff0);
    out[7] = dot_acc_sat(s, u, (int)0x80000005);
    out[8] = dot_4x8packed_uu_uint(0x04030201u, 0x281e140au);
    out[9] = dot_4x8packed_ss_int(0xfffefdfcu, 0x01020304u) + 2;
    out[10] = dot_4x8packed_su_int(0xfffefdfcu, 0x01020304u) + 2;
    out[11] = dot_acc_sat_4x8packed_us_int(0x01020304u, 0xfffefdfcu, 34);
}
//---- moves_of_memory_that_overlaps
//: not host: pointers to any memory
//: global 1
//: arg n=20
//: arg a=u8[32]:iota
//: arg b=u8[64]:iota
//: arg c=u32[8]:iota
//: expect a = i < 4 ? i : i < 24 ? i - 4 : i
//: expect b = i < 40 ? i + 4 : i
//: expect c = {1, 2, 3, 3, 4, 4, 5, 6}
kernel void k(global uchar* a, global uchar* b, global uint* c, int n) {
    __builtin_memmove(a + 4, a, n);
    __builtin_memmove(b, b + 4, 40);
    __builtin_memmove(c, c + 1, 12);
    __builtin_memmove(c + 5, c + 4, 12);
}
//---- upper_halves_of_products_of_volatile_shorts
//: global 96
//: arg a=i16[96]:fill(-256)
//: arg b=i16[96]:fill(1024)
//: arg out=i16[96]
//: expect out = -4
kernel void k(global volatile short* a, global short* b, global short* out) {
    int i = get_global_id(0);
    out[i] = mul_hi(a[i], b[i]);
}
//---- a_byte_and_a_short_through_branches
//: global 80
//: arg in=u8[80]:iota
//: arg out=u16[80]
//: expect out = i < 40 ? i * 3 + 200 : (i * 5 + 200) % 256
kernel void k(global const uchar* in, global ushort* out) {
    int i = get_global_id(0);
    uchar x = in[i];
    ushort y = x * 3;
    if (x >= 40) y = (uchar)(x * 5 + 200) - 200;
    out[i] = y + 200;
}
//---- limits_of_the_ranges_of_bytes_and_shorts
//: global 256
//: arg out=i16[256]
//: arg signs=i16[256]
//: arg bytes=u8[256]
//: expect out = i < 64 ? -32768 : i < 192 ? (i - 128) * 512 : 32767
//: expect signs = i <= 64 ? -32767 : i < 192 ? (i - 128) * 512 : 32767
//: expect bytes = i < 128 ? 0 : i < 192 ? i * 4 - 512 : 255
kernel void k(global short* out, global short* signs, global uchar* bytes) {
    int i = get_global_id(0), v = i * 512 - 65536;
    out[i] = clamp(v, -32768, 32767);
    signs[i] = clamp(v, -32767, 32767);
    bytes[i] = min(max(v / 128, 0), 255);
}
//---- stores_and_loads_of_bytes_that_would_pass_each_other
//: not host: local memory
// The stores of a row move down to the last one, its loads up to the first one: not past each other.
//: global 16
//: local 16
//: arg out=i8[16]
//: expect out = 58
kernel void k(global char* out) {
    const int lid = (int)get_local_id(0);
    local uchar s[80];
    for (int i = 0; i < 5; ++i) s[lid * 5 + i] = i;
    for (int r = 0; r < 4; ++r) {
        const uchar one = s[lid * 5 + 1];
        const uchar two = s[lid * 5 + 2];
        const uchar four = s[lid * 5 + 4];
        const uchar zero = s[lid * 5];
        out[lid] += four;
        s[lid * 5 + 2] ^= ({ int t = one, u = 99; t < 0 ? -t : t; });
        s[lid * 5 + 4] += zero >> 1;
        s[lid * 5 + 1] ^= 0;
        s[lid * 5] = two + 26;
    }
}
//---- sums_of_products_of_bytes
// Of two words of each work-item, of one and of memory that all read, and of one with itself.
//: not host: vectors
//: global 64
//: arg a=i8[12]:rand(11,-128,128)
//: arg b=i8[256]:rand(5000,-128,128)
//: arg c=u8[256]:rand(9000)
//: arg out=i32[64]
//: arg mixed=i32[64]
//: arg squares=i32[64]
//: expect out = 3 + a[0] * b[4 * i] + a[1] * b[4 * i + 1] + a[2] * b[4 * i + 2] + a[3] * b[4 * i + 3] + a[4] * b[4 * i] + a[5] * b[4 * i + 1] + a[6] * b[4 * i + 2] + a[7] * b[4 * i + 3]
//: expect mixed = c[4 * i] * b[4 * i] + c[4 * i + 1] * b[4 * i + 1] + c[4 * i + 2] * b[4 * i + 2] + c[4 * i + 3] * b[4 * i + 3] - c[4 * i]
//: expect squares = c[4 * i] * c[4 * i] + c[4 * i + 1] * c[4 * i + 1] + c[4 * i + 2] * c[4 * i + 2] + c[4 * i + 3] * c[4 * i + 3]
kernel void k(global const char4* a, global const char4* b, global const uchar4* c, global int* out, global int* mixed, global int* squares) {
    int i = get_global_id(0), sum = 3;
    char4 y = b[i];
    uchar4 z = c[i];
    for (int k = 0; k < 2; k++) {
        char4 x = a[k];
        sum += (x.x * y.x + x.y * y.y) + (x.z * y.z + x.w * y.w);
    }
    out[i] = sum;
    mixed[i] = z.w * y.w + z.x * y.x + z.y * y.y + z.z * y.z - z.x;
    squares[i] = z.x * z.x + z.y * z.y + z.z * z.z + z.w * z.w;
}
//---- a_store_between_the_bytes_of_a_product
// One work-item, since others would read what it stores.
//: not host: vectors
//: global 1
//: arg a=i8[4]:rand(3,-100,100)
//: arg w=&a
//: arg b=i8[4]:rand(7000,-128,128)
//: arg old=i8[4]:rand(3,-100,100)
//: arg out=i32[1]
//: expect a[0:1] = 77
//: expect out = old[0] * b[0] + old[1] * b[1] + old[2] * b[2] + old[3] * b[3]
kernel void k(global const char* a, global char* w, global const char4* b, global const char* old, global int* out) {
    int i = get_global_id(0);
    char4 y = b[i];
    int first = a[0] * y.x + a[1] * y.y;
    w[0] = 77;
    out[i] = first + a[2] * y.z + a[3] * y.w;
}
//---- truth_values_of_bytes_live_through_loops
//: global 100
//: arg in=u8[108]:iota
//: arg out=u8[100]
//: expect out = i < 50 && i > 42 && i % 2 ? i + 7 : 0
kernel void k(global const uchar* in, global uchar* out) {
    int i = get_global_id(0);
    uchar last = 0;
    bool up = false;
    for (int j = 0; j < 8; j++) {
        uchar c = in[i + j];
        if (c < 50)
            up = !up;
        else if (up)
            last = max(last, c);
    }
    out[i] = last;
}
//---- shorts_and_floats_where_bytes_decide
//: global 100
//: arg in=u8[100]:iota
//: arg out=u8[100]
//: arg floats=f32[100]
//: expect out = i < 21 ? 1 : i < 80 ? i % 2 ? i - 21 : i - 19 : i < 90 ? i - 20 : 70
//: expect floats = i > 20 && i < 80 ? i : 1.5
kernel void k(global const uchar* in, global uchar* out, global float* floats) {
    int i = get_global_id(0);
    uchar c = in[i], r = 1;
    short s = c * 3;
    float f = 1.5f;
    if (c > 20) {
        r = c - 20;
        if (s < 240) {
            f = c;
            r ^= 1;
        } else {
            r = min(r, (uchar)70);
        }
    }
    out[i] = r;
    floats[i] = f;
}
//---- private_bytes_of_some_work_items
//: global 100
//: arg in=u8[100]:iota
//: arg out=u8[400]
//: arg n=4
//: expect out = i / 4 > 30 * (i % 4) ? i / 4 : i % 4 + 1
kernel void k(global const uchar* in, global uchar* out, int n) {
    int i = get_global_id(0);
    uchar row[4];
    for (int j = 0; j < n; j++) row[j] = j + 1;
    for (int j = 0; j < n; j++)
        if (in[i] > 30 * j) row[j] = in[i];
    for (int j = 0; j < n; j++) out[4 * i + j] = row[j];
}
//---- truth_values_are_added_as_bytes
//: global 100
//: arg in=u8[108]:iota
//: arg out=u8[100]
//: arg n=8
//: expect out = (i < 50 ? 8 : 0) + (i < 86 ? 0 : i < 93 ? i - 85 : 8) + (i > 91 ? 1 : 0)
kernel void k(global const uchar* in, global uchar* out, int n) {
    int i = get_global_id(0);
    uchar sum = 0;
    for (int j = 0; j < n; j++) {
        uchar c = in[i + j];
        sum += in[i] < 50;
        sum += c > 92;
        sum += c == 99;
    }
    out[i] = sum;
}
