// Pointers to global and constant memory: arithmetic, comparison, conversion.
//---- arithmetic
//: global 10
//: arg in=i32[20]:iota
//: arg out=i32[10]
//: expect out = in[i + 10] + in[i] * 100
kernel void k(global const int* in, global int* out) {
    int i = get_global_id(0);
    global const int* p = in + i;
    *(out + i) = *(p + 10) + *p * 100;
}
//---- backwards
//: global 10
//: arg in=i32[10]:iota
//: arg out=i32[10]
//: expect out = in[9 - i]
kernel void k(global const int* in, global int* out) {
    int i = get_global_id(0);
    global const int* last = in + 9;
    out[i] = last[-i];
}
//---- increments
//: global 4
//: arg in=i32[16]:iota
//: arg out=i32[4]
//: expect out = sum(k, 0, 4, in[i * 4 + k] << k)
kernel void k(global const int* in, global int* out) {
    int i = get_global_id(0), sum = 0;
    global const int* p = in + 4 * i;
    for (int j = 0; j < 4; j++) sum += *p++ << j;
    out[i] = sum;
}
//---- decrements_and_compound
//: global 1
//: arg in=i32[16]:iota
//: arg out=i32[4]
//: expect out = {8, 7, 7, 2}
kernel void k(global const int* in, global int* out) {
    global const int* p = in;
    p += 8;
    out[0] = *p--;
    out[1] = *p;
    out[2] = *p--;
    p -= 4;
    out[3] = *p;
}
//---- differences
//: global 8
//: arg in=i64[16]
//: arg out=i64[8]
//: expect out = i * 2 - 5
kernel void k(global const long* in, global long* out) {
    int i = get_global_id(0);
    global const long *p = in + 2 * i, *q = in + 5;
    out[i] = p - q;
}
//---- comparisons
//: global 8
//: arg in=u8[16]
//: arg out=i32[8]
//: expect out = (i < 4) + 2 * (i <= 4) + 4 * (i == 4) + 8 * (i != 4) + 16 * (i > 4) + 32 * (i >= 4)
kernel void k(global const uchar* in, global int* out) {
    int i = get_global_id(0);
    global const uchar *p = in + i, *q = in + 4;
    out[i] = (p < q) + 2 * (p <= q) + 4 * (p == q) + 8 * (p != q) + 16 * (p > q) + 32 * (p >= q);
}
//---- index_in_front
//: global 4
//: arg in=i32[4]:iota
//: arg out=i32[4]
//: expect out = in[i] * 3
kernel void k(global const int* in, global int* out) {
    int i = get_global_id(0);
    i[out] = i[in] * 3;
}
//---- address_of_an_element
//: global 4
//: arg in=i32[8]:iota
//: arg out=i32[4]
//: expect out = in[i + 3]
kernel void k(global const int* in, global int* out) {
    int i = get_global_id(0);
    global const int* p = &in[i];
    global const int* q = &*p;
    out[i] = q[3];
}
//---- null_is_false
//: global 2
//: arg out=i32[2]
//: expect out = {0, 1}
kernel void k(global int* out) {
    int i = get_global_id(0);
    global int* p = 0;
    if (i == 1) p = out;
    out[i] = p ? 1 : 0;
    if (!p && i == 1) out[i] = 5;
    if (p == 0 && i == 1) out[i] = 6;
}
//---- chosen_by_condition
//: global 8
//: arg a=i32[8]:iota
//: arg b=i32[8]:fill(-3)
//: arg out=i32[8]
//: expect out = i & 1 ? a[i] : b[i]
kernel void k(global const int* a, global const int* b, global int* out) {
    int i = get_global_id(0);
    global const int* p = i & 1 ? a : b;
    out[i] = p[i];
}
//---- carried_around_a_loop
//: global 6
//: arg out=i32[36]
//: expect out = i % 6 <= i / 6 ? i / 6 * 10 + i % 6 : 0
kernel void k(global int* out) {
    int row = get_global_id(0), n = 0;
    global int* p = out + row * 6;
    global int* end = p + row;
    for (; p <= end; p++) *p = row * 10 + n++;
}
//---- swapped
//: global 4
//: arg a=i32[4]:iota
//: arg b=i32[4]:fill(7)
//: expect a = 7
//: expect b = i
void swap(global int* p, global int* q) {
    int t = *p;
    *p = *q;
    *q = t;
}
kernel void k(global int* a, global int* b) {
    int i = get_global_id(0);
    swap(a + i, &b[i]);
}
//---- constant_memory
//: global 12
//: arg table=i32[4]:iota
//: arg out=i32[12]
//: expect out = i % 4 * 2
kernel void k(constant int* table, global int* out) {
    int i = get_global_id(0);
    out[i] = table[i % 4] + table[i & 3];
}
//---- both_spellings
//: global 4
//: arg table=f32[4]:iota
//: arg out=f32[4]
//: expect out = f32(i) + 1
__kernel void k(__constant float* table, __global float* out) {
    size_t i = get_global_id(0);
    out[i] = table[i] + 1;
}
//---- to_integers_and_back
//: global 4
//: arg out=i32[4]
//: expect out = i + 1
kernel void k(global int* out) {
    int i = get_global_id(0);
    uintptr_t address = (uintptr_t)out;
    global int* p = (global int*)(address + 4 * i);
    *p = i + 1;
}
//---- reinterpreted_elements
//: global 4
//: arg in=u32[4]:fill(4278256130)
//: arg out=u32[4]
//: expect out = {2, 2, 1, 255}
kernel void k(global const uint* in, global uint* out) {
    int i = get_global_id(0);
    global const uchar* bytes = (global const uchar*)in;
    out[i] = bytes[i] + (i == 1 ? 0 : 0);
}
//---- index_of_all_types
//: global 1
//: arg in=i32[300]:iota
//: arg out=i32[6]
//: expect out = {200, 50, 150, 10, 250, 40}
kernel void k(global const int* in, global int* out) {
    uchar a = 200;
    char b = -50;
    short c = 150;
    long d = 10;
    ushort e = 250;
    size_t f = 40;
    out[0] = in[a];
    out[1] = (in + 100)[b];
    out[2] = in[c];
    out[3] = in[d];
    out[4] = in[e];
    out[5] = in[f];
}
//---- same_buffer_twice
//: global 8
//: arg a=i32[16]:iota
//: arg b=&a
//: expect a[8:16] = i - 8 + 100
kernel void k(global int* a, global int* b) {
    int i = get_global_id(0);
    b[i + 8] = a[i] + 100;
}
//---- loads_and_stores_in_order
//: global 4
//: arg a=i32[4]
//: expect a = 6 + i
kernel void k(global int* a) {
    int i = get_global_id(0);
    a[i] = 1;
    int x = a[i];
    a[i] = x + 2;
    x = a[i] + a[i];
    a[i] = x;
    a[i] += i;
}
//---- gather_and_scatter
//: global 50
//: arg in=i32[50]:iota
//: arg out=i32[50]
//: expect out = in[i * 43 % 50] * 7 % 50
kernel void k(global const int* in, global int* out) {
    int i = get_global_id(0);
    out[i * 7 % 50] = in[i] * 7 % 50;
}
//---- pointers_walk_at_their_own_pace
//: global 16
//: arg text=u8[40]:iota
//: arg out=i32[16]
//: expect out = i * (i + 1) / 2 + 39 - i
// Each work-item goes on from its own place: bytes up to its number, then one by one to the end.
kernel void k(global const uchar* text, global int* out) {
    int i = get_global_id(0);
    global const uchar* p = text;
    global const uchar* end = text + 39;
    int sum = 0;
    while (*p < i) sum += *p++;
    sum += *p;
    while (p != end) {
        sum++;
        p++;
    }
    out[i] = sum;
}
//---- pointers_walk_below_their_buffer
//: global 8
//: arg in=i16[8]:iota
//: arg out=i32[8]
//: expect out = i * (i + 1) / 2
kernel void k(global const short* in, global int* out) {
    int i = get_global_id(0), sum = 0;
    for (global const short* p = in + i; p >= in; p--) sum += *p;
    out[i] = sum;
}
//---- pointers_choose_their_buffer
//: global 16
//: arg a=i32[16]:iota
//: arg b=i32[16]:fill(100)
//: arg out=i32[16]
//: expect out = i % 3 == 0 ? i + 100 : 100
kernel void k(global const int* a, global const int* b, global int* out) {
    int i = get_global_id(0);
    global const int* p = i % 3 == 0 ? a + i : b + i;
    int first = *p;
    if (i % 3 == 0) p = b;
    out[i] = i % 3 == 0 ? first + *p : first;
}
//---- indices_of_64_bits_wrap
//: global 8
//: arg in=i32[8]:iota
//: arg out=i32[8]
//: expect out = 7 - i
kernel void k(global const int* in, global int* out) {
    ulong i = get_global_id(0);
    out[i] = in[7 + i * 0xffffffffffffffffUL];
}
//---- steps_do_not_cancel_where_one_sum_wraps
//: global 256
//: local 64
//: arg in=i32[2]:iota
//: arg out=i32[256]
//: arg n=2147483640
//: expect out = i < 8 ? 1 : 0
kernel void k(global const int* in, global int* out, int n) {
    int i = get_global_id(0);
    out[i] = in[(((long)(i + n) - i) >> 32) + 1];
}
//---- lane_0_is_on_the_other_side_of_the_wrap
//: global 256
//: local 64
//: arg in=i32[512]:iota
//: arg out=i32[256]
//: expect out = i < 248 ? i : 0
kernel void k(global const int* in, global int* out) {
    int a = (int)get_global_id(0) + 2147483640;
    if (a < 0) out[a & 255] = in[a + 2147483648L];
}
//---- large_numbers_cancel_in_an_index
//: global 256
//: local 64
//: arg in=u8[4096]:iota
//: arg shorts=u16[4096]:iota
//: arg out=i32[256]
//: arg more=i32[256]
//: arg n=3000000000
//: arg m=-1500000000
//: expect out = (i * 3) & 255
//: expect more = i * 3
kernel void k(global const uchar* in, global const ushort* shorts, global int* out, global int* more, long n, long m) {
    long i = get_global_id(0);
    out[i] = in[i * 3 - n + 3000000000L];
    more[i] = shorts[(long)((int)i * 3 + 1500000000) + m];
}
//---- to_an_end
//: global 70
//: arg a=i32[2000]:iota
//: arg n=23
//: arg out=i32[70]
//: expect out = 2 * (23 * (i * 23) + 253) + (i * 23 + 22) + 7 * (i * 23) + 21
kernel void k(global const int* a, int n, global int* out) {
    const int i = get_global_id(0);
    global const int *row = a + i * n, *end = row + n, *last = end - 1;
    int sum = 0;
    for (global const int* p = row; p < end; p++) sum += *p;
    for (global const int* p = end; p > row;) sum += *--p;
    for (global const int* p = last; p <= last; p += 2) sum += *p;
    global const int* p = a + i * n;
    while (p != a + i * n + 7) sum += *p++;
    out[i] = sum;
}
//---- of_elements_and_of_none
//: global 40
//: arg a=u8[1000]:iota
//: arg n=12
//: arg out=i32[40]
//: expect out = i % 3 == 0 ? -1 : 100
kernel void k(global const uchar* a, int n, global int* out) {
    const int i = get_global_id(0);
    int sum = 0, want = 0;
    struct pair { uchar x, y; };
    global const struct pair* p = (global const struct pair*)(a + i * n);
    global const struct pair* end = p + n / 2;
    for (; p != end; p++) sum += p->x * 3 + p->y;
    for (int j = 0; j < n; j += 2) want += a[i * n + j] * 3 + a[i * n + j + 1];
    global const uchar* from = a + i;
    for (global const uchar* q = from; q < from + (i % 3 ? 0 : -5); q++) sum++;
    for (global const uchar* q = from + 4; q < from; q++) sum++;
    out[i] = sum != want ? 7 : i % 3 == 0 ? -1 : 100;
}
//---- left_before_the_end
//: global 50
//: arg a=i32[2000]:iota
//: arg n=30
//: arg out=i32[50]
//: expect out = i % 30
kernel void k(global const int* a, int n, global int* out) {
    const int i = get_global_id(0);
    global const int *p = a + i * n, *const from = p, *const end = p + n;
    for (; p < end; ++p)
        if (*p % n == i % n) break;
    out[i] = p == end ? -1 : (int)(p - from);
}
//---- ends_of_their_own
//: global 50
//: arg a=i32[2000]:iota
//: arg out=i32[50]
//: expect out = (i % 7) * (i * 20) + (i % 7) * (i % 7 - 1) / 2 + 4 * (i * 20) + 6
kernel void k(global const int* a, global int* out) {
    const int i = get_global_id(0);
    global const int* row = a + i * 20;
    int sum = 0;
    for (global const int *p = row, *end = row + i % 7; p < end; p++) sum += *p;
    for (global const int *p = row, *end = a + 20 * i + 4; p != end; p++) sum += *p;
    out[i] = sum;
}
//---- rows_of_rows
//: global 20
//: arg a=i32[4000]:iota
//: arg n=8
//: arg out=i32[20]
//: expect out = 40 * (i * 100) + 5 * 28 + 8 * (0 + 10 + 20 + 30 + 40)
kernel void k(global const int* a, int n, global int* out) {
    const int i = get_global_id(0);
    global const int* block = a + i * 100;
    int sum = 0;
    for (global const int* row = block; row != block + 50; row += 10)
        for (global const int* p = row; p < row + n; p++) sum += *p;
    out[i] = sum;
}
