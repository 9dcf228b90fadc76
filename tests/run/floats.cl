// Float arithmetic: IEEE-754 binary32 and binary64, rounded to nearest even.
//---- addition_rounds
//: global 100
//: arg in=f32[100]:rand(1,-1000,1000)
//: arg out=f32[100]
//: expect out = in[i] + in[99 - i]
kernel void k(global const float* in, global float* out) {
    int i = get_global_id(0);
    out[i] = in[i] + in[99 - i];
}
//---- division_is_correctly_rounded
//: global 200
//: arg a=f32[200]:rand(2,-10,10)
//: arg b=f32[200]:rand(3,-10,10)
//: arg out=f32[200]
//: expect out = a[i] / b[i]
kernel void k(global const float* a, global const float* b, global float* out) {
    int i = get_global_id(0);
    out[i] = a[i] / b[i];
}
//---- zeros_keep_their_sign_in_choices
//: global 4
//: arg in=i32[4]:iota
//: arg bits=u32[16]
//: arg wide=u64[4]
//: expect bits = {0, 0x3f800000, 0x80000000, 0xbf800000, 0xbf800000, 0x80000000, 0x3f800000, 0, 0xbf800000, 0x80000000, 0x3f800000, 0, 0, 0x3f800000, 0x80000000, 0xbf800000}
//: expect wide = {0, 0xbff0000000000000, 0, 0xbff0000000000000}
kernel void k(global const int* in, global uint* bits, global ulong* wide) {
    int i = get_global_id(0);
    global uint* to = bits + i % 2 * 8;
    bool first = in[i] % 2 == 0;
    to[0] = as_uint(first ? 0.0f : -1.0f);
    to[1] = as_uint(first ? 1.0f : -0.0f);
    to[2] = first ? 0x80000000u : 0x3f800000u;
    to[3] = first ? 0xbf800000u : 0u;
    to[4] = as_uint(first ? -1.0f : 0.0f);
    to[5] = as_uint(first ? -0.0f : 1.0f);
    to[6] = first ? 0x3f800000u : 0x80000000u;
    to[7] = first ? 0u : 0xbf800000u;
    double d = 0.0;
    if (!first) d = -1.0;
    wide[i] = as_ulong(d);
}
//---- zeros_keep_their_sign_where_branches_meet
//: global 4
//: arg in=i32[5]:iota
//: arg bits=u32[8]
//: arg copies=i32[4]
//: expect bits = {0, 0, 0xbf800000, 0, 0, 0, 0xbf800000, 0}
//: expect copies = {0, 2, 4, 0}
kernel void k(global const int* in, global uint* bits, global int* copies) {
    int i = get_global_id(0);
    float x = 0.0f, y = 0.0f;
    if (in[i] == 2) {
        x = -1.0f;
        copies[i] = in[i + 1];
    }
    bits[i] = as_uint(x);
    for (int k = 0; k < 5; k++)
        if (in[k] == i * 2) {
            y = in[k] == 4 ? -1.0f : 0.0f;
            copies[i] = k;
            break;
        }
    bits[i + 4] = as_uint(y);
}
//---- division_of_extremes
//: global 1
//: arg in=f32[4]:fill(1e-44)
//: arg out=f32[6]
//: expect out = {1, inf, 1e-44f / 3.0f, -inf, nan, -0.0f}
kernel void k(global const float* in, global float* out) {
    out[0] = in[0] / in[1];
    out[1] = 1e38f / in[0];
    out[2] = in[0] / 3.0f;
    out[3] = -1.0f / (in[0] - in[1]);
    out[4] = (in[0] - in[1]) / (in[2] - in[3]);
    out[5] = -in[0] / 1e38f;
}
//---- double_division
//: global 50
//: arg a=f64[50]:rand(4,-1e10,1e10)
//: arg b=f64[50]:rand(5,-3,3)
//: arg out=f64[50]
//: expect out = a[i] / b[i] - a[49 - i]
kernel void k(global const double* a, global const double* b, global double* out) {
    int i = get_global_id(0);
    out[i] = a[i] / b[i] - a[49 - i];
}
//---- square_roots
//: global 100
//: arg in=f32[100]:rand(6,0,100000)
//: arg out=f32[100]
//: expect out = sqrt(in[i])
kernel void k(global const float* in, global float* out) {
    int i = get_global_id(0);
    out[i] = sqrt(in[i]);
}
//---- double_square_roots
//: global 50
//: arg in=f64[50]:rand(7,0,1e-300)
//: arg out=f64[50]
//: expect out = sqrt(in[i])
kernel void k(global const double* in, global double* out) {
    int i = get_global_id(0);
    out[i] = sqrt(in[i]);
}
//---- square_root_of_negative
//: global 1
//: arg in=f32[1]:fill(-0.0)
//: arg out=f32[3]
//: expect out = {-0.0f, nan, inf}
kernel void k(global const float* in, global float* out) {
    out[0] = sqrt(in[0]);
    out[1] = sqrt(in[0] - 1.0f);
    out[2] = sqrt(INFINITY);
}
//---- denormals_are_kept
//: global 8
//: arg in=f32[8]:iota
//: arg out=f32[8]
//: arg bits=u32[8]
//: expect out = f32(i) * 1e-45f
//: expect bits = i
kernel void k(global const float* in, global float* out, global uint* bits) {
    int i = get_global_id(0);
    out[i] = in[i] * 1e-45f;
    bits[i] = as_uint(out[i]);
}
//---- denormal_sums
//: global 4
//: arg in=f32[4]:fill(1.1754944e-38)
//: arg out=u32[4]
//: expect out = 0x800000 - i * 3
kernel void k(global const float* in, global uint* out) {
    int i = get_global_id(0);
    float tiny = as_float(3u) * i;
    out[i] = as_uint(in[i] - tiny);
}
//---- overflow_to_infinity
//: global 4
//: flags -ffp-contract=off
//: arg in=f32[4]:fill(3e38)
//: arg out=f32[4]
//: expect out = {3e38f, inf, -inf, nan}
kernel void k(global const float* in, global float* out) {
    int i = get_global_id(0);
    float x = in[i];
    if (i == 1) x = x + x;
    if (i == 2) x = x * -2.0f;
    if (i == 3) x = x + x + (x * -2.0f);
    out[i] = x;
}
//---- nan_compares_unequal
//: global 1
//: not opencl: refuses a condition of float type
//: arg z=f32[1]
//: arg out=i32[8]
//: expect out = {0, 1, 0, 0, 0, 0, 1, 1}
kernel void k(global const float* z, global int* out) {
    float n = z[0] / z[0];
    out[0] = n == n;
    out[1] = n != n;
    out[2] = n < 1.0f;
    out[3] = n > 1.0f;
    out[4] = n <= n;
    out[5] = n >= 0.0f;
    out[6] = !(n < 1.0f);
    out[7] = n ? 1 : 0;
}
//---- nan_in_control_flow
//: global 4
//: arg in=f32[4]:iota
//: arg out=i32[4]
//: expect out = {3, 2, 1, 1}
kernel void k(global const float* in, global int* out) {
    int i = get_global_id(0);
    float x = in[i] == 0.0f ? 0.0f / in[i] : in[i];
    if (x < 2.0f) out[i] = 2;
    else if (x >= 2.0f) out[i] = 1;
    else out[i] = 3;
}
//---- zeros_compare_equal
//: global 1
//: arg z=f32[1]
//: arg out=i32[3]
//: expect out = {1, 0, 1}
kernel void k(global const float* z, global int* out) {
    float minus = -z[0];
    out[0] = minus == z[0];
    out[1] = minus < z[0];
    out[2] = as_int(minus) < 0;
}
//---- minus_keeps_the_sign_of_zero
//: global 1
//: arg z=f32[1]
//: arg out=u32[4]
//: expect out = {0x80000000, 0, 0, 0x80000000}
kernel void k(global const float* z, global uint* out) {
    out[0] = as_uint(-z[0]);
    out[1] = as_uint(0.0f - z[0]);
    out[2] = as_uint(z[0] + -z[0]);
    out[3] = as_uint(-z[0] - z[0]);
}
//---- summation_order_is_that_of_the_source
//: global 1
//: arg out=f32[2]
//: arg big=f32[1]:fill(16777216)
//: expect out = {16777216, 16777218}
kernel void k(global float* out, global const float* big) {
    float one = big[0] / 16777216.0f;
    out[0] = big[0] + one + one;
    out[1] = big[0] + (one + one);
}
//---- halves_round_to_even
//: global 6
//: arg out=f32[6]
//: expect out = {16777216, 16777216, 16777218, 16777220, 16777220, 16777220}
kernel void k(global float* out) {
    float base = 16777216.0f, i = get_global_id(0);
    out[get_global_id(0)] = base + i;
}
//---- geometric_series
//: global 20
//: arg out=f64[20]
//: expect out = 2.0 - pow2(0 - i)
kernel void k(global double* out) {
    int n = get_global_id(0);
    double sum = 0, term = 1;
    for (int j = 0; j <= n; j++) {
        sum += term;
        term *= 0.5;
    }
    out[n] = sum;
}
//---- newton_square_root
//: global 16
//: arg out=f64[16]
//: expect out = i + 1
kernel void k(global double* out) {
    int i = get_global_id(0);
    double square = (i + 1) * (i + 1), x = square;
    for (int j = 0; j < 40; j++) x = (x + square / x) / 2;
    out[i] = x;
}
//---- machine_epsilon
//: global 1
//: arg out=f32[1]
//: arg wide=f64[1]
//: expect out = {FLT}
//: expect wide = {pow2(0 - 52)}
//: arg FLT=0.00000011920929f
kernel void k(global float* out, global double* wide, float FLT) {
    float e = 1;
    while (1.0f + e / 2 > 1.0f) e /= 2;
    out[0] = e;
    double d = 1;
    while (1.0 + d / 2 > 1.0) d /= 2;
    wide[0] = d;
}
//---- constants_of_the_language
//: global 1
//: arg out=f64[6]
//: expect out = {3.40282346638528859812e+38, pow2(0 - 126), pow2(0 - 23), 3.1415927f, 3.141592653589793, pow2(0 - 52)}
kernel void k(global double* out) {
    out[0] = FLT_MAX;
    out[1] = FLT_MIN;
    out[2] = FLT_EPSILON;
    out[3] = M_PI_F;
    out[4] = M_PI;
    out[5] = DBL_EPSILON;
}
//---- horner
//: global 32
//: flags -ffp-contract=off
//: arg in=f32[32]:rand(8,-2,2)
//: arg out=f32[32]
//: expect out = ((2.0f * in[i] - 3.0f) * in[i] + 0.5f) * in[i] - 1.0f
kernel void k(global const float* in, global float* out) {
    int i = get_global_id(0);
    float x = in[i];
    out[i] = ((2.0f * x - 3.0f) * x + 0.5f) * x - 1.0f;
}
//---- zeros_from_memory
//: global 1
//: arg n=34
//: arg out=f64[2]
//: expect out = {inf, 34 / 5.0}
kernel void k(global double* out, int n) {
    double v[3] = {0, 5, 0};
    out[0] = n / v[0];
    out[1] = n / v[n % 3];
}
//---- division_by_zero_in_a_loop
//: global 1
//: arg n=3
//: arg y=-7.0f
//: arg out=f32[3]
//: expect out = -inf
kernel void k(global float* out, int n, float y) {
    for (int i = 0; i < n; ++i) out[i] = y / 0.0f;
}
//---- counters_as_divisors
//: global 4
//: arg o=f32[8]
//: expect o = {nan, 0, inf, 1, inf, 2, inf, 3}
kernel void k(global float* o) {
    int i = get_global_id(0);
#pragma nounroll
    for (int j = 0; j < 2; j++) o[i * 2 + j] = (float)i / (float)j;
}
//---- counters_times_infinity
//: global 3
//: arg x=f32[3]
//: arg o=f32[9]
//: expect x = {inf, -inf, 2}
//: expect o = {nan, inf, inf, nan, -inf, -inf, 0, 2, 4}
kernel void k(global float* x, global float* o) {
    int i = get_global_id(0);
    x[i] = i == 0 ? INFINITY : i == 1 ? -INFINITY : 2.0f;
#pragma nounroll
    for (int j = 0; j < 3; j++) o[i * 3 + j] = x[i] * (float)j;
}
//---- a_sum_that_begins_with_zero_times_infinity
//: global 2
//: arg in=f32[2]:fill(inf)
//: arg o=f32[2]
//: arg n=2
//: expect o = nan
kernel void k(global const float* in, global float* o, int n) {
    int i = get_global_id(0);
    float s = 0.0f, t = 3.0f;
#pragma nounroll
    for (int j = 0; j < 2; j++) s = s * in[i] + 1.0f, t = (t - 3.0f) * in[i];
    o[i] = s + t;
}
//---- divisors_that_counters_choose
//: global 4
//: arg in=f64[4]:iota
//: arg o=f64[16]
//: expect o = i % 4 == 0 ? (i < 4 ? nan : inf) : i % 4 == 2 ? (i < 4 ? nan : -inf) : i / 4 * 0.5
kernel void k(global const double* in, global double* o) {
    int i = get_global_id(0);
#pragma nounroll
    for (int j = 0; j < 4; j++) {
        double d = j == 0 ? 0.0 : j == 2 ? -0.0 : 2.0;
        o[i * 4 + j] = in[i] / d;
    }
}
//---- signs_of_zeros_from_counters
//: global 1
//: arg o=f32[6]
//: expect o = {-inf, inf, inf, -1, -1, -1}
kernel void k(global float* o) {
#pragma nounroll
    for (int j = 0; j < 2; j++) {
        float z = (float)j;
        o[j * 3] = 1.0f / (z * -1.0f);
        o[j * 3 + 1] = 1.0f / (0.0f - z);
        o[j * 3 + 2] = 1.0f / (0.0f + (z == 0 ? z : -1.0f));
    }
}
//---- local_sizes_of_one
//: global 3
//: local 1
//: arg o=f32[3]
//: expect o = nan
kernel void k(global float* o) {
    o[get_global_id(0)] = (float)get_local_id(0) / (float)(get_local_size(0) - 1);
}
//---- smaller_and_larger_by_comparison
//: global 6
//: arg a=u32[6]
//: arg out=u32[24]
//: expect a = {0, 0x80000000, 0x7fc00000, 0x3f800000, 0xbf800000, 0x7f800000}
//: expect out[0:6] = {0, 0x80000000, 0x7fc00000, 0, 0xbf800000, 0}
//: expect out[6:12] = {0, 0x80000000, 0x7fc00000, 0x3f800000, 0, 0x7f800000}
//: expect out[12:18] = {0x80000000, 0x80000000, 0x80000000, 0x80000000, 0xbf800000, 0x80000000}
//: expect out[18:24] = {0x80000000, 0x80000000, 0x80000000, 0x3f800000, 0x80000000, 0x7f800000}
kernel void k(global uint* a, global uint* out) {
    int i = get_global_id(0);
    a[i] = i == 0 ? 0 : i == 1 ? 0x80000000 : i == 2 ? 0x7fc00000 : i == 3 ? 0x3f800000 : i == 4 ? 0xbf800000 : 0x7f800000;
    float x = as_float(a[i]), zero = as_float(a[i] & 0), none = as_float((a[i] & 0) | 0x80000000);
    float less = zero < x ? zero : x, more = x < zero ? zero : x;
    out[i] = as_uint(less);
    out[6 + i] = as_uint(more);
    out[12 + i] = as_uint(x < none ? x : none);
    out[18 + i] = as_uint(none < x ? x : none);
}
//---- bounds_of_floats
//: not host: C++ leaves it open
//: global 16
//: arg out=u32[128]
//: expect out = {0, 0, 0, 0x80000000, 0, 0, 0, 1, 0, 0x80000000, 0x80000000, 0x80000000, 0, 0x80000000, 0x80000000, 0, 1, 1, 0, 0x80000000, 1, 1, 1, 1, 0, 0x80000000, 0x80000001, 0x80000001, 0, 0x80000001, 0x80000001, 1, 0x3f800000, 0x3f800000, 0, 0x80000000, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000, 0, 0x80000000, 0xbf800000, 0xbf800000, 0, 0xbf800000, 0xbf800000, 0x7f800000, 0x7f800000, 0x7f800000, 0, 0x80000000, 0x7f800000, 0x3f800000, 0x7f800000, 0x7f800000, 0, 0x80000000, 0xff800000, 0xff800000, 0, 0xff800000, 0xbf800000, 0x7f800000, 0, 0x80000000, 0, 0x80000000, 0, 0x3f800000, 0xbf800000, 0x40000000, 0, 0x80000000, 0, 0x80000000, 0, 0x3f800000, 0xbf800000, 1, 0, 0x80000000, 0, 0x80000000, 0, 0x3f800000, 0xbf800000, 0x7fc00000, 0x40000000, 0x40000000, 0, 0x80000000, 0x40000000, 0x3f800000, 0x40000000, 0x40000000, 0x7f7fffff, 0x7f7fffff, 0, 0x80000000, 0x7f7fffff, 0x3f800000, 0x7f7fffff, 0x7f800000, 0, 0x80000000, 0xff7fffff, 0xff7fffff, 0, 0xff7fffff, 0xbf800000, 0x7f7fffff, 0x33333333, 0x33333333, 0, 0x80000000, 0x33333333, 0x33333333, 0x33333333, 0x3f800000, 0, 0x80000000, 0xb3333333, 0xb3333333, 0, 0xb3333333, 0xb3333333, 0x7f7fffff}
kernel void k(global uint* out) {
    // Zeros and NaN decide the order of the operands of a machine's instruction.
    const uint special[16] = {0, 0x80000000, 1, 0x80000001, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00000, 0x7f800001, 0x40000000, 0x7f7fffff, 0xff7fffff, 0x33333333, 0xb3333333};
    int i = get_global_id(0);
    float x = as_float(special[i]), y = as_float(special[(i * 7 + 3) & 15]);
    float r[8] = {fmax(x, 0.0f), fmax(x, -0.0f), fmin(x, 0.0f), fmin(x, -0.0f),
                  fmax(0.0f, x), fmin(1.0f, x), fmax(x, -1.0f), fmax(fabs(x), fabs(y))};
    for (int n = 0; n < 8; n++) out[8 * i + n] = isnan(r[n]) ? 0x7fc00000 : as_uint(r[n]);
}
//---- zeros_that_drivers_come_to_know
// Zeros made of integers, of conditions, of constants and through memory; 0 / 0 and inf * 0 are NaN everywhere.
//: not host: C++ leaves it open
//: global 4
//: local 4
//: arg in=i32[8]:rand(1,0,9)
//: arg x=f32[4]:rand(1,1,2)
//: arg out=f32[80]
//: expect out = nan
kernel void k(global float* out, global const int* in, global const float* x) {
    int i = get_global_id(0), a = in[i], b = in[i + 4];
    float inf = x[i] / 0.0f, one = 1.0f;
    local float shared[4];
    float own[2];
    one -= 1.0f;
    out[i] = 0.0f / (float)(a - b + b - a);
    out[i + 4] = inf * (float)(a + b - b - a);
    out[i + 8] = inf * (float)(a > b && a < b);
    out[i + 12] = INFINITY * (float)((a == b) & (a != b));
    out[i + 16] = 0.0f / (float)(a * 0);
    out[i + 20] = (float)(0.0 / (double)(a & 0));
    out[i + 24] = (x[i] > 5 ? 1.0f : INFINITY) * (float)(i - i);
    out[i + 28] = as_float(a ^ a) / as_float(b - b);
    out[i + 32] = (a == a ? 0.0f : 1.0f) * INFINITY;
    out[i + 36] = one / (x[i] * one);
    out[i + 40] = 0.0f;
    out[i + 40] *= inf;
    shared[i] = 0.0f;
    out[i + 44] = shared[i] / shared[i];
    own[a & 1] = 0.0f;
    out[i + 48] = own[a & 1] * inf;
    out[i + 52] = convert_float((uchar)(a * 256)) / 0.0f;
    out[i + 56] = -0.0f * inf;
    out[i + 60] = fabs(0.0f) * inf;
    out[i + 64] = floor(0.5f) * inf;
    out[i + 68] = (float)0.0 / (x[i] - x[i]);
    out[i + 72] = fmin(0.0f, 1.0f) * inf;
    local int words[4];
    words[i] = 0;
    out[i + 76] = 0.0f / *(local float*)&words[i];
}
