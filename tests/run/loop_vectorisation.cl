//---- rows_of_any_length
//: global 7
//: arg n=i32[7]:iota
//: arg x=i32[700]:iota
//: arg y=i32[700]:fill(-1)
//: expect y = i % 100 < i / 100 * 16 + i / 100 % 2 ? i * 3 + 1 : -1
kernel void k(global const int* n, global const int* x, global int* y) {
    int r = get_global_id(0), m = n[r] * 16 + (r & 1);
    for (int j = 0; j < m; j++) y[r * 100 + j] = x[r * 100 + j] * 3 + 1;
}
//---- a_bound_below_the_start
//: global 3
//: arg m=-2147483648
//: arg y=i32[64]:fill(5)
//: expect y = 5
kernel void k(int m, global int* y) {
    for (int j = 0; j < m; j++) y[get_global_id(0) * 20 + j] = j;
}
//---- unsigned_bounds
//: global 5
//: arg y=u32[250]:fill(7)
//: expect y = i % 50 < i / 50 * 12 ? i % 50 : 7
kernel void k(global uint* y) {
    uint r = get_global_id(0), m = r * 12;
    for (uint j = 0; j < m; j++) y[r * 50 + j] = j;
}
//---- down_to_zero
//: global 6
//: arg y=i32[240]:fill(-1)
//: expect y = i % 40 < i / 40 * 7 ? 1000 - i % 40 : -1
kernel void k(global int* y) {
    int r = get_global_id(0);
    for (int j = r * 7 - 1; j >= 0; j--) y[r * 40 + j] = 1000 - j;
}
//---- up_to_and_with_the_bound
//: global 5
//: arg y=i32[200]:fill(-1)
//: expect y = i % 40 <= i / 40 * 9 - 1 ? i * 2 : -1
kernel void k(global int* y) {
    int r = get_global_id(0);
    for (int j = 0; j <= r * 9 - 1; j++) y[r * 40 + j] = (r * 40 + j) * 2;
}
//---- until_the_bound
//: global 5
//: arg y=i32[200]:fill(-1)
//: expect y = i % 40 < i / 40 * 8 ? i ^ 5 : -1
kernel void k(global int* y) {
    int r = get_global_id(0);
    for (ulong j = 0; j != (ulong)(r * 8); j++) y[r * 40 + j] = (r * 40 + (int)j) ^ 5;
}
//---- folds_of_integers
//: global 4
//: arg x=i32[200]:rand(3,-1000,1000)
//: arg out=i32[36]
//: arg want=i32[36]
//: expect out = 0
kernel void k(global const int* x, global int* out, global int* want) {
    int r = get_global_id(0), m = r * 15 + 1;
    int sum = 3, product = 1, least = 2000, most = -2000, both = -1, any = 0, odd = 0, less = 9;
    uint large = 0;
    for (int j = 0; j < m; j++) {
        int v = x[r * 50 + j];
        sum += v, product *= v, least = min(least, v), most = max(most, v);
        both &= v, any |= v, odd ^= v, less -= v, large = max(large, (uint)v);
    }
    // The same, one after the other: each value goes through memory.
    global int* w = want + r * 9;
    w[0] = 3, w[1] = 1, w[2] = 2000, w[3] = -2000, w[4] = -1, w[5] = 0, w[6] = 0, w[7] = 9, w[8] = 0;
    for (int j = 0; j < m; j++) {
        int v = x[r * 50 + j];
        w[0] += v, w[1] *= v, w[2] = min(w[2], v), w[3] = max(w[3], v);
        w[4] &= v, w[5] |= v, w[6] ^= v, w[7] -= v, w[8] = (int)max((uint)w[8], (uint)v);
    }
    out[r * 9] = sum - w[0], out[r * 9 + 1] = product - w[1], out[r * 9 + 2] = least - w[2];
    out[r * 9 + 3] = most - w[3], out[r * 9 + 4] = both - w[4], out[r * 9 + 5] = any - w[5];
    out[r * 9 + 6] = odd - w[6], out[r * 9 + 7] = less - w[7], out[r * 9 + 8] = (int)large - w[8];
    for (int j = 0; j < 9; j++) w[j] = 0;
}
//---- sums_of_some
//: global 4
//: arg x=i32[160]:iota
//: arg out=i64[4]
//: expect out = {420, 1220, 2020, 2820}
kernel void k(global const int* x, global long* out) {
    int r = get_global_id(0), n = 40;
    long s = 0;
    for (int j = 0; j < n + (int)get_global_offset(0); j++)
        if (x[r * 40 + j] & 1) s += x[r * 40 + j];
        else if (x[r * 40 + j] == r * 40 + 20) s += 20;
    out[r] = s;
}
//---- a_sum_decides_on_the_next_loop
//: global 4
//: arg x=u8[400]:fill(1)
//: arg y=i32[400]:fill(-1)
//: expect y = i % 100 < i / 100 * 20 ? i / 100 * 20 : -1
kernel void k(global const uchar* x, global int* y) {
    int r = get_global_id(0), m = r * 20, s = 0;
    for (int j = 0; j < m; j++) s += x[r * 100 + j];
    for (int j = 0; j < s; j++) y[r * 100 + j] = s;
}
//---- in_place
//: global 3
//: arg x=f32[300]:iota
//: expect x = i % 100 < 77 ? i * 2.0f + 1.0f : i * 1.0f
kernel void k(global float* x) {
    int r = get_global_id(0), m = 77 + get_global_offset(0);
    for (int j = 0; j < m; j++) x[r * 100 + j] = x[r * 100 + j] * 2.0f + 1.0f;
}
//---- bytes_and_doubles_side_by_side
//: global 3
//: arg x=u8[300]:iota
//: arg y=f64[300]
//: expect y = i % 100 < 99 ? (i & 255) * 0.5 : 0.0
kernel void k(global const uchar* x, global double* y) {
    int r = get_global_id(0), m = 99 + get_global_offset(0);
    for (int j = 0; j < m; j++) y[r * 100 + j] = x[r * 100 + j] * 0.5;
}
//---- pointers_that_count
//: global 4
//: arg x=i16[160]:iota
//: arg y=i16[160]:fill(-1)
//: expect y = i % 40 < 37 ? i + 3 : -1
kernel void k(global const short* x, global short* y) {
    global const short* p = x + get_global_id(0) * 40;
    global short* q = y + get_global_id(0) * 40;
    for (int left = 37 + get_global_offset(0); left > 0; left--) *q++ = *p++ + 3;
}
//---- each_from_the_one_before
//: global 2
//: arg x=i32[100]:fill(1)
//: expect x = i % 50 + 1
kernel void k(global int* x) {
    int r = get_global_id(0), m = 50 + get_global_offset(0);
    for (int j = 1; j < m; j++) x[r * 50 + j] = x[r * 50 + j - 1] + 1;
}
//---- each_from_the_one_behind
//: global 2
//: arg x=i32[102]:iota
//: expect x = i % 51 < 50 ? i + 2 : i
kernel void k(global int* x) {
    int r = get_global_id(0), m = 50 + get_global_offset(0);
    for (int j = 0; j < m; j++) x[r * 51 + j] = x[r * 51 + j + 1] + 1;
}
//---- at_an_index_of_data
//: global 2
//: arg at=i32[80]:fill(3)
//: arg x=i32[80]
//: expect x = i == 3 ? 78 : 0
kernel void k(global const int* at, global int* x) {
    if (get_global_id(0)) return;
    int m = 78 + get_global_offset(0);
    for (int j = 0; j < m; j++) x[at[j]]++;
}
//---- sums_of_floats_in_order
//: global 2
//: arg x=f32[200]:fill(0.1)
//: arg out=f32[2]
//: expect out = {10.000002f, 10.000002f}
kernel void k(global const float* x, global float* out) {
    int r = get_global_id(0), m = 100 + get_global_offset(0);
    float s = 0;
    for (int j = 0; j < m; j++) s += x[r * 100 + j];
    out[r] = s;
}
//---- a_counter_behind_the_loop
//: global 3
//: arg y=i32[90]:fill(-1)
//: expect y = i % 30 < i / 30 * 10 ? 4 : i % 30 == i / 30 * 10 ? 77 : -1
kernel void k(global int* y) {
    int r = get_global_id(0), j = 0;
    for (; j < r * 10; j++) y[r * 30 + j] = 4;
    y[r * 30 + j] = 77;
}
//---- branches_inside
//: global 3
//: arg x=i32[150]:iota
//: arg y=i32[150]:fill(-1)
//: expect y = i % 50 >= 43 ? -1 : i % 3 == 0 ? i * 7 : i % 3 == 1 ? -1 : i - 1000
kernel void k(global const int* x, global int* y) {
    int r = get_global_id(0), m = 43 + get_global_offset(0);
    for (int j = 0; j < m; j++) {
        int v = x[r * 50 + j];
        if (v % 3 == 0) y[r * 50 + j] = v * 7;
        else if (v % 3 == 2) y[r * 50 + j] = v - 1000;
    }
}
//---- loops_around_loops
//: global 2
//: arg a=i32[32]:iota
//: arg b=i32[320]:fill(1)
//: arg c=i32[40]
//: expect c = i < 20 ? 120 : 376
kernel void k(global const int* a, global const int* b, global int* c) {
    int r = get_global_id(0), m = 20 + get_global_offset(0);
    for (int q = 0; q < 16; q++)
        for (int j = 0; j < m; j++) c[r * 20 + j] += a[r * 16 + q] * b[q * 20 + j];
}
//---- ids_along_z
//: global 2,2,1
//: arg y=i32[120]:fill(-1)
//: expect y = i % 30 < 25 ? (i / 30) * 100 + 10 : -1
kernel void k(global int* y) {
    int r = get_global_id(1) * 2 + get_global_id(0), m = 25 + get_global_offset(0);
    for (int j = 0; j < m; j++)
        y[r * 30 + j] = r * 100 + (int)get_global_id(2) + (int)get_global_size(2) * 10 + (int)get_global_offset(2);
}
//---- an_index_that_wraps_where_nothing_is_loaded
//: global 1
//: arg x=i32[40]:iota
//: arg y=i32[20]
//: expect y = i == 0 ? 0 : i * 2 - 1
kernel void k(global const int* x, global int* y) {
    for (uint j = 0; j < 20; j++) {
        int s = x[j];
        if (j > 0) s += x[j - 1];
        y[j] = s;
    }
}
//---- an_index_that_wraps_to_the_next
//: global 1
//: arg x=i32[100]:fill(1)
//: arg m=77
//: expect x = i < 78 ? i + 1 : 1
kernel void k(global int* x, uint m) {
    for (uint j = 0; j < m; j++) {
        uint next = (j + 0x40000001u) * 4u;
        *(global int*)((global char*)x + next) = *(global int*)((global char*)x + 4u * j) + 1;
    }
}
