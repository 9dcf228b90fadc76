// Integer arithmetic: wrapping, division, shifts, bits.
//---- addition_wraps
//: global 4
//: arg out=i32[4]
//: expect out = i32(2147483646 + i)
kernel void k(global int* out) {
    int i = get_global_id(0);
    out[i] = 2147483646 + i;
}
//---- subtraction_wraps
//: global 4
//: arg out=i32[4]
//: expect out = i32(-2147483647 - i)
kernel void k(global int* out) {
    int i = get_global_id(0);
    out[i] = -2147483647 - i;
}
//---- multiplication_wraps
//: global 100
//: arg out=i32[100]
//: expect out = i32(i * 123456789)
kernel void k(global int* out) {
    int i = get_global_id(0);
    out[i] = i * 123456789;
}
//---- long_multiplication_wraps
//: global 100
//: arg out=i64[100]
//: expect out = (i + 1) * 6364136223846793005 + 1442695040888963407
kernel void k(global long* out) {
    long i = get_global_id(0);
    out[i] = (i + 1) * 6364136223846793005L + 1442695040888963407L;
}
//---- long_division_by_constants
//: global 64
//: arg out=i32[64]
//: expect out = 0
#define UNSIGNED(d) \
    for (int k = -2; k < 3; ++k) { \
        ulong x = near[get_global_id(0) & 7] * (d) + (ulong)k, y = base + x; \
        ulong q = x / (d), r = x % (d); \
        wrong += q * (d) + r != x || r >= (d) || q * (d) > x || mul_hi(q, (ulong)(d)) != 0; \
        q = y / (d), r = y % (d); \
        wrong += q * (d) + r != y || r >= (d) || q * (d) > y || mul_hi(q, (ulong)(d)) != 0; \
    }
#define SIGNED(d) \
    for (int k = -2; k < 3; ++k) { \
        long x = (long)(near[get_global_id(0) & 7] * (ulong)(d)) + k, y = (long)base ^ x; \
        long q = x / (d), r = x % (d); \
        wrong += q * (d) + r != x || abs(r) >= abs(d) || (r != 0 && (r < 0) != (x < 0)); \
        wrong += mul_hi(abs(q), abs(d)) != 0 || (q != 0 && ((q < 0) != ((x < 0) != ((d) < 0)))); \
        q = y / (d), r = y % (d); \
        wrong += q * (d) + r != y || abs(r) >= abs(d) || (r != 0 && (r < 0) != (y < 0)); \
        wrong += mul_hi(abs(q), abs(d)) != 0 || (q != 0 && ((q < 0) != ((y < 0) != ((d) < 0)))); \
    }
kernel void k(global int* out) {
    int wrong = 0;
    ulong near[8] = {0, 1, 2, 3, 255, 4294967296ul, 9223372036854775807ul, 9223372036854775808ul};
    ulong base = (ulong)get_global_id(0) * 0x9e3779b97f4a7c15ul;
    UNSIGNED(3ul)
    UNSIGNED(5ul)
    UNSIGNED(7ul)
    UNSIGNED(10ul)
    UNSIGNED(641ul)
    UNSIGNED(1000000007ul)
    UNSIGNED(4294967295ul)
    UNSIGNED(4294967297ul)
    UNSIGNED(6148914691236517205ul)
    UNSIGNED(9223372036854775807ul)
    UNSIGNED(9223372036854775809ul)
    UNSIGNED(12297829382473034411ul)
    UNSIGNED(18446744073709551615ul)
    SIGNED(3l)
    SIGNED(-3l)
    SIGNED(7l)
    SIGNED(-10l)
    SIGNED(641l)
    SIGNED(-1000000007l)
    SIGNED(4294967297l)
    SIGNED(-6148914691236517205l)
    SIGNED(9223372036854775807l)
    SIGNED(-9223372036854775807l)
    out[get_global_id(0)] = wrong;
}
//---- products_of_halves
//: global 64
//: arg a=u32[64]:rand(3)
//: arg b=u32[64]:rand(4)
//: arg x=u64[64]:rand(5)
//: arg wrong=i32[64]
//: expect wrong = 0
// Products from shifts and sums of bits, which no rule recognises.
ulong product(ulong a, ulong b) {
    ulong sum = 0;
    for (; b; b >>= 1, a <<= 1) sum += b & 1 ? a : 0;
    return sum;
}
kernel void k(global const uint* a, global const uint* b, global const ulong* x, global int* wrong) {
    int i = get_global_id(0);
    ulong u = x[i], half = u & 0xffffffff, shifted = u >> 32;
    long left = (int)a[i], right = (int)b[i], high = (long)u >> 40;
    wrong[i] = (ulong)a[i] * b[i] != product(a[i], b[i]);
    wrong[i] += half * shifted != product(half, shifted);
    wrong[i] += u * b[i] != product(u, b[i]);
    wrong[i] += b[i] * u != product(u, b[i]);
    wrong[i] += a[i] * 4294967295ul != product(a[i], 4294967295ul);
    wrong[i] += u * x[63 - i] != product(u, x[63 - i]);
    wrong[i] += left * right != (long)product(left, right);
    wrong[i] += left * -2147483648l != (long)product(left, -2147483648l);
    wrong[i] += high * right != (long)product(high, right);
    wrong[i] += (long)(ushort)a[i] * right != (long)product((ushort)a[i], right);
}
//---- small_divisions
//: global 256
//: arg wrong=i32[256]
//: arg n=-7
//: expect wrong = 0
// By constants, by an argument, and by divisors that differ between the work-items.
#define DIVIDED(T, x, d) \
    { \
        T a = (T)(x), b = (T)(d), q = a / b, r = a % b; \
        wrong[i] += (T)(q * b + r) != a || abs(r) >= abs(b) || (r != 0 && (r < 0) != (a < 0)) || \
                    (q != 0 && (q < 0) != ((a < 0) != (b < 0)) && q != (T)-a); \
    }
#define BY_ALL(T, x) \
    DIVIDED(T, x, 3) DIVIDED(T, x, 7) DIVIDED(T, x, 10) DIVIDED(T, x, 100) DIVIDED(T, x, 127) DIVIDED(T, x, -3) \
    DIVIDED(T, x, -128) DIVIDED(T, x, n) DIVIDED(T, x, i * 37 | 1)
#define BY_MORE(T, x) \
    DIVIDED(T, x, 255) DIVIDED(T, x, 257) DIVIDED(T, x, 641) DIVIDED(T, x, 32767) DIVIDED(T, x, -32768) \
    DIVIDED(T, x, i * 40503 | 1)
kernel void k(global int* wrong, int n) {
    int i = get_global_id(0);
    BY_ALL(char, i) BY_ALL(uchar, i)
    for (int k = 0; k < 4; ++k) {
        int x = k < 2 ? i * 257 + k : i * 128 - k;
        BY_ALL(short, x) BY_ALL(ushort, x) BY_MORE(short, x) BY_MORE(ushort, x)
        uint y = (uint)x * 0x9e3779b9u;
        BY_ALL(int, y) BY_ALL(uint, y) BY_MORE(int, y) BY_MORE(uint, y)
        DIVIDED(int, y, -2147483647 - 1) DIVIDED(int, y, 2147483647) DIVIDED(uint, y, 4294967295u)
        DIVIDED(uint, y, 2147483649u) DIVIDED(uint, y, 3435973837u) DIVIDED(int, x * 1000000007, 1000000007)
    }
}
//---- division_truncates
//: global 41
//: arg out=i32[41]
//: arg rem=i32[41]
//: expect out = (i - 20) / 7
//: expect rem = (i - 20) % 7
kernel void k(global int* out, global int* rem) {
    int i = get_global_id(0);
    out[i] = (i - 20) / 7;
    rem[i] = (i - 20) % 7;
}
//---- division_by_variable
//: global 64
//: arg d=i32[64]:rand(7,-50,50)
//: arg out=i32[64]
//: arg rem=i32[64]
//: not host: x86 divides by zero with a signal
//: not opencl: OpenCL C leaves division by zero open
//: expect out = d[i] == 0 ? -1 : (i * 1000 - 30000) / d[i]
//: expect rem = d[i] == 0 ? i * 1000 - 30000 : (i * 1000 - 30000) % d[i]
kernel void k(global const int* d, global int* out, global int* rem) {
    int i = get_global_id(0);
    int x = i * 1000 - 30000;
    out[i] = x / d[i];
    rem[i] = x % d[i];
}
//---- unsigned_division_by_variable
//: global 64
//: arg d=u32[64]:rand(11,1,4294967295)
//: arg out=u32[64]
//: arg rem=u32[64]
//: expect out = u32(i * 66666667 + 4000000000) / d[i]
//: expect rem = u32(i * 66666667 + 4000000000) % d[i]
kernel void k(global const uint* d, global uint* out, global uint* rem) {
    uint i = get_global_id(0);
    uint x = i * 66666667 + 4000000000u;
    out[i] = x / d[i];
    rem[i] = x % d[i];
}
//---- divide_by_zero_is_defined
//: global 1
//: arg z=i32[1]
//: arg out=i64[8]
//: not host: x86 divides by zero with a signal
//: not opencl: OpenCL C leaves it open
//: expect out = {-1, 5, 4294967295, 5, -1, -5, -1, 7}
kernel void k(global const int* z, global long* out) {
    int a = 5;
    uint u = 5;
    long l = -5;
    out[0] = a / z[0];
    out[1] = a % z[0];
    out[2] = u / (uint)z[0];
    out[3] = u % (uint)z[0];
    out[4] = l / z[0];
    out[5] = l % z[0];
    out[6] = (ulong)l / (ulong)z[0];
    out[7] = 7 % z[0];
}
//---- smallest_by_minus_one
//: global 1
//: arg m=i32[1]:fill(-1)
//: arg out=i64[4]
//: not host: x86 divides it with a signal
//: not opencl: OpenCL C leaves it open
//: expect out = {-2147483648, 0, -9223372036854775807 - 1, 0}
kernel void k(global const int* m, global long* out) {
    int a = INT_MIN;
    long b = LONG_MIN;
    out[0] = a / m[0];
    out[1] = a % m[0];
    out[2] = b / m[0];
    out[3] = b % m[0];
}
//---- long_division
//: global 32
//: arg d=i64[32]:rand(5,1,1000000000000)
//: arg out=i64[32]
//: expect out = (i * 123456789012345 - 2000000000000000) / d[i] + (i * 123456789012345 - 2000000000000000) % d[i]
kernel void k(global const long* d, global long* out) {
    long i = get_global_id(0);
    long x = i * 123456789012345L - 2000000000000000L;
    out[i] = x / d[i] + x % d[i];
}
//---- narrow_division
//: global 256
//: arg in=i8[256]:iota
//: arg out=i8[256]
//: expect out = in[i] / 3 + in[i] % 3
kernel void k(global const char* in, global char* out) {
    int i = get_global_id(0);
    out[i] = in[i] / 3 + in[i] % 3;
}
//---- shift_left
//: global 32
//: arg out=u32[32]
//: expect out = u32(0x80000001 << i)
kernel void k(global uint* out) {
    int i = get_global_id(0);
    out[i] = 0x80000001u << i;
}
//---- shift_right_keeps_the_sign
//: global 32
//: arg out=i32[32]
//: arg uns=u32[32]
//: expect out = -123456789 >> i
//: expect uns = u32(-123456789) >> i
kernel void k(global int* out, global uint* uns) {
    int i = get_global_id(0), x = -123456789;
    out[i] = x >> i;
    uns[i] = (uint)x >> i;
}
//---- shift_counts_are_modulo_the_width
//: global 100
//: arg out=i32[100]
//: arg wide=i64[100]
//: not host: C++ leaves it open
//: expect out = i32(1 << i % 32)
//: expect wide = 1 << i % 64
kernel void k(global int* out, global long* wide) {
    int i = get_global_id(0);
    out[i] = 1 << i;
    wide[i] = 1L << i;
}
//---- shift_by_negative_count
//: global 8
//: arg out=i32[8]
//: not host: C++ leaves it open
//: expect out = i32(0x40000000 >> (32 - i) % 32)
kernel void k(global int* out) {
    int i = get_global_id(0);
    out[i] = 0x40000000 >> -i;
}
//---- shift_of_a_narrow_type_is_promoted
//: global 24
//: arg out=i32[24]
//: expect out = 200 << i
kernel void k(global int* out) {
    int i = get_global_id(0);
    uchar c = 200;
    out[i] = c << i;
}
//---- bit_operations
//: global 256
//: arg out=u32[256]
//: expect out = u32((i & 85) | (i << 8 ^ 0xaa00) | (~i << 16 & 0xff0000))
kernel void k(global uint* out) {
    uint i = get_global_id(0);
    out[i] = (i & 85) | ((i << 8) ^ 0xaa00) | ((~i << 16) & 0xff0000);
}
//---- comparisons_give_int
//: global 9
//: arg out=i32[9]
//: expect out = (i < 4) + (i <= 4) * 2 + (i > 4) * 4 + (i >= 4) * 8 + (i == 4) * 16 + (i != 4) * 32
kernel void k(global int* out) {
    int i = get_global_id(0);
    out[i] = (i < 4) + (i <= 4) * 2 + (i > 4) * 4 + (i >= 4) * 8 + (i == 4) * 16 + (i != 4) * 32;
}
//---- unsigned_comparisons
//: global 4
//: arg out=i32[4]
//: expect out = {15, 15, 0, 0}
kernel void k(global int* out) {
    uint i = get_global_id(0);
    uint x = 0x7ffffffe + i, y = 0x80000000u;
    ulong a = x, b = y;
    out[i] = (x < y) + 2 * (a < b) + 4 * !(x >= y) + 8 * !(a >= b);
}
//---- increments
//: global 1
//: arg out=i32[6]
//: expect out = {5, 7, 7, 5, 5, 255}
kernel void k(global int* out) {
    int a = 5;
    uchar u = 0;
    out[0] = a++;
    out[1] = ++a;
    out[2] = a--;
    out[3] = --a;
    out[4] = a;
    u--;
    out[5] = u;
}
//---- collatz
//: global 32
//: arg in=u32[32]:iota
//: arg out=u32[32]
//: expect out = {0, 0, 1, 7, 2, 5, 8, 16, 3, 19, 6, 14, 9, 9, 17, 17, 4, 12, 20, 20, 7, 7, 15, 15, 10, 23, 10, 111, 18, 18, 18, 106}
kernel void k(global const uint* in, global uint* out) {
    uint n = in[get_global_id(0)], count = 0;
    while (n > 1) {
        n = n % 2 == 0 ? n / 2 : 3 * n + 1;
        count++;
    }
    out[get_global_id(0)] = count;
}
//---- greatest_common_divisor
//: global 24
//: arg out=i32[24]
//: expect out = {360, 1, 2, 3, 4, 5, 6, 1, 8, 9, 10, 1, 12, 1, 2, 15, 8, 1, 18, 1, 20, 3, 2, 1}
kernel void k(global int* out) {
    int a = 360, b = get_global_id(0);
    while (b) {
        int t = a % b;
        a = b;
        b = t;
    }
    out[get_global_id(0)] = a;
}
//---- xorshift
//: global 4
//: arg out=u32[4]
//: expect out = {270369, 540738, 811107, 1081476}
kernel void k(global uint* out) {
    uint x = get_global_id(0) + 1;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    out[get_global_id(0)] = x;
}
//---- high_half_by_hand
//: global 64
//: arg in=u32[64]:rand(3)
//: arg out=u32[64]
//: expect out = in[i] * in[63 - i] >> 32 & 0xffffffff
kernel void k(global const uint* in, global uint* out) {
    uint i = get_global_id(0), a = in[i], b = in[63 - i];
    uint al = a & 0xffff, ah = a >> 16, bl = b & 0xffff, bh = b >> 16;
    uint low = al * bl, m1 = ah * bl, m2 = al * bh;
    uint carry = ((low >> 16) + (m1 & 0xffff) + (m2 & 0xffff)) >> 16;
    out[i] = ah * bh + (m1 >> 16) + (m2 >> 16) + carry;
}
//---- population_by_hand
//: global 200
//: arg out=i32[200]
//: expect out = popcount(u32(i * 2654435761))
kernel void k(global int* out) {
    uint i = get_global_id(0), x = i * 2654435761u;
    int n = 0;
    while (x) {
        x &= x - 1;
        n++;
    }
    out[i] = n;
}
//---- division_by_one_divisor_for_all
//: global 100
//: arg in=i32[100]:rand(5)
//: arg d=-46341
//: arg u=3221225473
//: arg quotient=i32[100]
//: arg rem=i32[100]
//: arg uquotient=u32[100]
//: arg urem=u32[100]
//: expect quotient = in[i] / d
//: expect rem = in[i] % d
//: expect uquotient = (in[i] & 4294967295) / 3221225473
//: expect urem = (in[i] & 4294967295) % 3221225473
kernel void k(global const int* in, int d, uint u, global int* quotient, global int* rem, global uint* uquotient,
              global uint* urem) {
    int i = get_global_id(0);
    int x = in[i];
    quotient[i] = x / d;
    rem[i] = x % d;
    uquotient[i] = (uint)x / u;
    urem[i] = (uint)x % u;
}
//---- division_of_multiples_is_exact
//: global 1000
//: arg d=1000003
//: arg out=i32[1000]
//: arg below=i32[1000]
//: expect out = i
//: expect below = i - 1
kernel void k(int d, global int* out, global int* below) {
    int i = get_global_id(0);
    uint x = (uint)i * (uint)d;
    out[i] = x / (uint)d;
    below[i] = i == 0 ? -1 : (int)((x - 1) / (uint)d);
}
//---- division_by_constants_at_the_edges
//: global 4
//: arg in=i32[4]:iota
//: arg out=i32[16]
//: not host: C++ leaves divisions by zero and overflow undefined
//: expect out = {-2147483648, 0, -1, -1, 1, 0, 0, 0, 2147483647, 0, 0, 0, -1, 0, 0, 0}
kernel void k(global const int* in, global int* out) {
    int i = get_global_id(0);
    int lowest = -2147483647 - 1 + in[0];
    if (i == 0) {
        out[0] = lowest / (-1 + in[0]);
        out[1] = lowest % (-1 + in[0]);
        out[2] = lowest / 2147483647;
        out[3] = (lowest + 1) / 2147483647;
    } else if (i == 1) {
        out[4] = lowest / (-2147483647 - 1);
        out[5] = (lowest + 1) / (-2147483647 - 1);
    } else if (i == 2) {
        out[8] = (uint)(lowest - 1) / 1u;
        out[9] = (uint)lowest / 4294967295u;
    } else {
        out[12] = (uint)lowest / (uint)in[0];
    }
}
//---- quotients_and_remainders
//: global 36
//: not host: x86 divides by zero with a signal
//: arg a=i32[6]:iota
//: arg out=i32[36]
//: expect out = 0
// A remainder that is computed from its quotient, for operands at the edges: x == x / y * y + x % y, and so on.
kernel void k(global const int* a, global int* out) {
    int i = get_global_id(0);
    int edges[6] = {0, 1, -1, 7, 2147483647, -2147483647 - 1};
    int x = edges[a[i / 6]], y = edges[a[i % 6]];
    int q = x / y, r = x % y;
    uint v = x, w = y;
    uint s = v % w, t = v / w;
    int wrong = r != x - q * y;
    if (y == 0) wrong |= r != x;
    if (x == edges[5] && y == -1) wrong |= r != 0;
    if (x >= 0 && y > 0) wrong |= r != (int)s || q != (int)t;
    if (w > v) wrong |= s != v || t != 0;
    out[i] = wrong;
}
//---- rotations
// Rotations by constants, by one amount and by an amount of each lane, written in the usual ways, against a loop over
// bits. The amount 0 tells `or` from `xor`.
//: global 200
//: arg amounts=u32[200]:iota
//: arg by=37
//: arg x=u32[200]:rand(3)
//: arg y=u64[200]:rand(4)
//: arg wrong=i32[200]
//: expect wrong = 0
uint turned(uint x, uint n) {
    uint r = 0;
    for (uint k = 0; k < 32; ++k)
        if (x >> k & 1) r |= 1u << ((k + n) & 31);
    return r;
}
ulong turned_long(ulong x, uint n) {
    ulong r = 0;
    for (uint k = 0; k < 64; ++k)
        if (x >> k & 1) r |= 1ul << ((k + n) & 63);
    return r;
}
kernel void k(global const uint* amounts, uint by, global const uint* x, global const ulong* y, global int* wrong) {
    uint i = get_global_id(0);
    uint a = x[i], n = amounts[i], m = n & 31;
    ulong b = y[i];
    int w = 0;
    w += (a << 7 | a >> 25) != turned(a, 7);
    w += (a >> 7 ^ a << 25) != turned(a, 25);
    w += rotate(a, n) != turned(a, n);
    w += (a << n | a >> (32 - n)) != turned(a, n);
    w += (a << m | a >> (-n & 31)) != turned(a, n);
    w += (a >> n | a << (32 - n)) != turned(a, 32 - m);
    w += (a << by | a >> (32 - by)) != turned(a, by);
    w += (m == 0 ? 0 : a << n ^ a >> (32 - n)) != (m == 0 ? 0 : turned(a, n));
    w += (a << m ^ a >> (32 - m & 31)) != (m == 0 ? 0 : turned(a, n));
    w += (a << 8 | a >> 24) != turned(a, 8);
    w += (a << 16 ^ a >> 16) != turned(a, 16);
    w += (a << 24 | a >> 8) != turned(a, 24);
    w += (b << 32 | b >> 32) != turned_long(b, 32);
    w += (b << 16 | b >> 48) != turned_long(b, 16);
    w += (b << 40 ^ b >> 24) != turned_long(b, 40);
    w += (b << 55 | b >> 9) != turned_long(b, 55);
    w += rotate(b, (ulong)n) != turned_long(b, n);
    w += (b << n | b >> (64 - n)) != turned_long(b, n);
    w += (b >> by | b << (64 - by)) != turned_long(b, 64 - by);
    wrong[i] = w;
}
//---- uniform_rotations
//: global 3
//: arg x=-559038737
//: arg y=81985529216486895
//: arg out=u64[3]
//: expect out = 2914971614
kernel void k(int x, ulong y, global ulong* out) {
    uint u = x;
    ulong turned = y << 12 | y >> 52;
    out[get_global_id(0)] = (ulong)(u << 8 | u >> 24) + (turned >> 12 | turned << 52) - y;
}
//---- bitwise_operations_of_three
// Every function of three bits, as the sum of its products and in shorter forms.
//: global 256
//: arg a=u32[256]:rand(1)
//: arg b=u32[256]:rand(2)
//: arg c=u32[256]:rand(3)
//: arg wrong=i32[256]
//: expect wrong = 0
uint by_table(uint a, uint b, uint c, uint table) {
    uint r = 0;
    for (uint k = 0; k < 32; ++k) {
        uint row = (a >> k & 1) * 4 + (b >> k & 1) * 2 + (c >> k & 1);
        r |= (table >> row & 1) << k;
    }
    return r;
}
kernel void k(global const uint* a, global const uint* b, global const uint* c, global int* wrong) {
    uint i = get_global_id(0);
    uint x = a[i], y = b[i], z = c[i];
    int w = 0;
    w += ((x & y) ^ (~x & z)) != by_table(x, y, z, 0xca);
    w += ((x & y) ^ (x & z) ^ (y & z)) != by_table(x, y, z, 0xe8);
    w += (x ^ y ^ z) != by_table(x, y, z, 0x96);
    w += ~(x | y | z) != by_table(x, y, z, 0x01);
    w += (~(x & y) | z) != by_table(x, y, z, 0xbf);
    w += ((x | ~y) & (z ^ x) & ~(y & z)) != by_table(x, y, z, 0x52);
    w += ((x ^ y) & (x | y)) != by_table(x, y, z, 0x3c);
    w += ((x & ~y) | (~x & y & z) | (x & y & ~z)) != by_table(x, y, z, 0x78);
    w += (((x | y) & z) ^ ((x | y) & ~z)) != by_table(x, y, z, 0xfc);
    uint shared = x & y;
    w += ((shared ^ z) + (shared | z)) != by_table(x, y, z, 0x6a) + by_table(x, y, z, 0xea);
    wrong[i] = w;
}
//---- a_long_and_an_int_under_one_mask
//: global 41
//: arg in=i32[41]:rand(51,-1,1)
//: arg out=i64[141]
//: expect out = i < 41 ? (i > 2 ? 0 : in[0]) : i < 100 ? 0 : i - 100 > 2 && in[i - 100] == 0 ? 3 : 7
kernel void k(global const int* in, global long* out) {
    int i = get_global_id(0);
    long y = in[0];
    int t = in[i], r = 7;
    if (i > 2) {
        y = 0;
        if (t == 0) r = 3;
    }
    out[i] = y;
    out[i + 100] = r;
}
//---- inside_of_bounds
//: global 12,12
//: arg out=i32[144]
//: expect out = i % 12 >= 3 && i % 12 < 8 && i / 12 >= 3 && i / 12 < 8 ? 2 * (i % 12) + i / 12 - 9 : 100
kernel void k(global int* out) {
    int x = (int)get_global_id(0) - 3, y = (int)get_global_id(1) - 3, at = (y + 3) * 12 + x + 3;
    if (x < 0 || y < 0 || x >= 5 || y >= 5) out[at] = 100;
    else if (x >= 0 && y >= 0 && 4 >= x && 4 >= y) out[at] = 2 * x + y;
}
//---- walks_that_stay_on_a_board
//: global 16
//: arg steps=i32[16]
//: arg seen=i32[16]
//: expect steps = {6, 5, 1, 3, 9, 1, 9, 2, 1, 6, 5, 2, 8, 7, 1, 7}
//: expect seen = {4095, 52463, 8, 52416, 32767, 51712, 32767, 13126, 49920, 36607, 65312, 136, 65531, 32766, 34816, 65523}
kernel void k(global int* steps, global int* seen) {
    int id = get_global_id(0), x = id % 4, y = id / 4, n = 0, been = 0;
    bool moved = false;
    for (int k = 0; k < 64; k++) {
        int move = (k * k + id * 5) % 9, nx = x + move % 3 - 1, ny = y + move / 3 - 1;
        bool deeper = false;
        for (int t = 0; t < 2; t++, nx++) {
            if (nx < 0 || ny < 0 || nx >= 4 || ny > 3) continue;
            if (been >> (4 * ny + nx) & 1) continue;
            been |= 1 << (4 * ny + nx);
            deeper = moved = true;
            break;
        }
        if (deeper) {
            x = nx, y = ny;
            continue;
        }
        if (moved) n++;
        moved = false;
    }
    steps[id] = n, seen[id] = been;
}
//---- products_of_shorts
// Element i of `a` is i * 514 + 256 in 16 bits.
//: global 128
//: arg a=u8[256]:iota
//: arg least=i16[128]:fill(-32768)
//: arg out=i32[896]
//: expect out[0:128] = i16(i * 514 + 256) * i16((127 - i) * 514 + 256)
//: expect out[128:256] = 1073741824
//: expect out[256:384] = i16((i - 256) * 514 + 256) * -32768
//: expect out[384:512] = i16((i - 384) * 514 + 256) * 32768
//: expect out[512:640] = (i16((i - 512) * 514 + 256) - 1) * -32768
//: expect out[640:768] = i16((i - 640) * 514 + 256) * i16((i - 640) * 514 + 256)
//: expect out[768:896] = -98304
kernel void k(global const short* a, global const short* least, global int* out) {
    int i = get_global_id(0);
    out[i] = a[i] * a[127 - i];
    out[128 + i] = least[i] * least[127 - i];
    out[256 + i] = a[i] * *least;
    out[384 + i] = a[i] * 32768;
    out[512 + i] = (a[i] - 1) * least[i];
    out[640 + i] = a[i] * a[i];
    out[768 + i] = least[i] * 3;
}
//---- products_of_shorts_and_bytes
//: global 128
//: arg u=u8[256]:iota
//: arg full=u16[128]:fill(65535)
//: arg out=i32[768]
//: expect out[0:128] = u16(i * 514 + 256) * i
//: expect out[128:256] = 65535 * (i - 256)
//: expect out[256:384] = -1073709056
//: expect out[384:512] = 32767 * i16((i - 384) * 514 + 256)
//: expect out[512:640] = (i - 640) * (u16((i - 512) * 514 + 256) / 2)
//: expect out[640:768] = -200 * min(u16((i - 640) * 514 + 256), 32767)
kernel void k(global const ushort* u, global const ushort* full, global int* out) {
    global const uchar* bytes = (global const uchar*)u;
    int i = get_global_id(0);
    out[i] = u[i] * bytes[i];
    out[128 + i] = full[i] * (bytes[i] - 128);
    out[256 + i] = (full[i] >> 1) * -32768;
    out[384 + i] = (full[i] >> 1) * ((global const short*)u)[i];
    out[512 + i] = (bytes[i] - 128) * (u[i] >> 1);
    out[640 + i] = min((int)u[i], 32767) * max((int)-full[i], -200);
}
//---- quotients_by_constants_that_one_work_item_computes
//: global 64
//: arg in=i64[64]:iota
//: arg out=i64[64]
//: expect out = 0
kernel void k(global const long* in, global long* out) {
    long x = in[get_global_id(0)] * 288230376151711743L - 9223372036854775807L;  // from one end to the other
    ulong u = (ulong)x;
    int s = (int)(x >> 29);
    uint v = (uint)(u >> 31);
    long bad = 0;
#define SIGNED(T, x, d) { T q = (x) / (d), r = (x) % (d); \
                          bad += q * (d) + r != (x) || (r != 0 && (r < 0) != ((x) < 0)) || (r < 0 ? -r : r) >= ((d) < 0 ? -(d) : (d)); }
#define UNSIGNED(T, x, d) { T q = (x) / (d), r = (x) % (d); bad += q * (d) + r != (x) || r >= (d); }
    SIGNED(long, x, 3L) SIGNED(long, x, -7L) SIGNED(long, x, 1000000007L) SIGNED(long, x, 4611686018427387905L)
    SIGNED(long, x, 641L) SIGNED(long, x, -10L)
    UNSIGNED(ulong, u, 3UL) UNSIGNED(ulong, u, 7UL) UNSIGNED(ulong, u, 10UL) UNSIGNED(ulong, u, 1000000007UL)
    UNSIGNED(ulong, u, 9223372036854775809UL) UNSIGNED(ulong, u, 18446744073709551615UL)
    SIGNED(int, s, 3) SIGNED(int, s, -7) SIGNED(int, s, 10) SIGNED(int, s, 715827883) SIGNED(int, s, 2147483647)
    UNSIGNED(uint, v, 3u) UNSIGNED(uint, v, 7u) UNSIGNED(uint, v, 10u) UNSIGNED(uint, v, 4294967295u)
    UNSIGNED(uint, v, 2147483649u)
    short t = (short)s;
    ushort w = (ushort)v;
    SIGNED(int, (int)t, 7) UNSIGNED(uint, (uint)w, 13u)
    short tq = t / (short)-9;
    uchar b = (uchar)v / (uchar)11;
    bad += tq != (short)((int)t / -9) || b != (uchar)((uchar)v / 11);
    out[get_global_id(0)] = bad;
}
//---- one_dividend_in_two_sizes
//: global 1
//: arg out=i64[4]
//: arg n=-70001
//: expect out = {-10000, 613556756, -10000, 613556756}
kernel void k(global long* out, int n) {
    out[0] = n / 7;
    out[1] = (long)(uint)n / 7;
    uint m = n;
    out[3] = (long)m / 7;
    out[2] = (int)m / 7;
}
//---- factors_that_fit_in_shorts
//: global 40
//: arg a=i16[44]:iota
//: arg b=u8[40]:iota
//: arg u=-32768
//: arg v=-17
//: arg out=i32[160]
//: expect out = i % 4 == 0 ? (i / 4 - 22) * -17 : i % 4 == 1 ? (i / 4 % 2 ? -32768 : i / 4 - 22) * -32768 : i % 4 == 2 ? (i / 4 - 22) * (i / 4) : (i / 4 - 22) * (i / 4 - 21)
// One factor is not negative, or the same for all lanes; or neither.
kernel void k(global const short* a, global const uchar* b, short u, short v, global int* out) {
    int i = get_global_id(0);
    short x = a[i] - 22, y = a[i + 1] - 22;
    out[4 * i] = x * v;
    out[4 * i + 1] = (i & 1 ? u : x) * u;
    out[4 * i + 2] = x * b[i];
    out[4 * i + 3] = x * y;
}
//---- products_of_bytes_of_vectors
//: global 20
//: not host: vectors
//: arg a=u8[80]:iota
//: arg b=i8[4]:fill(-3)
//: arg out=i32[20]
//: expect out = -3 * (16 * i + 6)
kernel void k(global const uchar4* a, global const char4* b, global int* out) {
    int i = get_global_id(0);
    uchar4 x = a[i];
    char4 y = *b;
    out[i] = x.x * y.x + x.y * y.y + x.z * y.z + x.w * y.w;
}
//---- orders_of_two_values
//: global 40
//: arg out=i32[40]
//: arg n=20
//: arg least=-2147483648
//: expect out = i < 20 ? 1000 + (i == 0 ? 19 : i - 1) * 10 + (i == 19 ? 2 : 0) : i == 20 ? 5 : 7
// A comparison decides others of the same values, and of sums that do not wrap.
kernel void k(global int* out, int n, int least) {
    int i = get_global_id(0), r = 0;
    if (i < n) {
        int west = i - 1 < 0 ? i - 1 + n : i - 1 >= n ? 77777 : i - 1;
        r = 1000 + west * 10 + (i + 1 >= n ? 2 : 0);
        if (i >= n || i == n || n <= i) r = -1;
        if (i + 1 > n) r = -2;
    } else if (i == n) {
        r = i > n || n < i || i != n ? -3 : 5;
        int x = i < 0 ? i : least + (i - n), y = n < 0 ? n : least;
        if (x <= y) r = x - 1 < y ? -4 : 5;  // wraps
    } else {
        r = i <= n || n >= i || n > i ? -5 : 7;
    }
    out[i] = r;
}
//---- products_of_bytes_and_halves_of_words
//: global 20
//: not host: vectors
//: arg a=u8[160]:iota
//: arg c=i8[8]:fill(-3)
//: arg out=i32[20]
//: expect out = 65533 * 2 * (16 * i + 6)
// Like the sums of products above, but the lower halves of words are numbers of their own.
kernel void k(global const uchar4* a, global const char* c, global int* out) {
    int i = get_global_id(0), sum = 0;
    for (int k = 0; k < 2; k++) {
        uchar4 x = a[i];
        sum += x.x * (c[4 * k] & 0xffff) + x.y * (c[4 * k + 1] & 0xffff) + x.z * (c[4 * k + 2] & 0xffff) +
               x.w * (c[4 * k + 3] & 0xffff);
    }
    out[i] = sum;
}
