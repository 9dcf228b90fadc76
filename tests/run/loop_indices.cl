// Indices that grow by the same amount in each iteration of a loop.
//---- rows_and_columns
//: global 24
//: arg a=i32[600]:iota
//: arg n=20
//: arg out=i32[24]
//: expect out = 190 * 3 + 20 * (i * 20) * 3 + 190 * 20 + 20 * i
kernel void k(global const int* a, int n, global int* out) {
    const int i = get_global_id(0);
    int sum = 0;
    for (int k = 0; k < n; k++) sum += 3 * a[i * n + k] + a[k * n + i];
    out[i] = sum;
}
//---- neighbours_of_one_base
//: global 3
//: local 1
//: arg a=i32[200]:iota
//: arg n=40
//: arg out=i32[120]
//: expect out = i % 40 == 0 || i % 40 == 39 ? 0 : 3 * i + i % 40
kernel void k(global const int* a, int n, global int* out) {
    const int row = get_global_id(0) * n;
    for (int j = 1; j < n - 1; j++) out[row + j] = a[row + j - 1] + a[row + j] + a[row + j + 1] + j;
}
//---- downwards_and_by_three
//: global 5
//: local 1
//: arg a=i16[300]:iota
//: arg n=60
//: arg out=i32[5]
//: expect out = 20 * (i * 60) + 3 * 190 + 40
kernel void k(global const short* a, int n, global int* out) {
    const int i = get_global_id(0);
    int sum = 0;
    for (int j = n - 3; j >= 0; j -= 3) sum += a[i * n + j] + 2;
    out[i] = sum;
}
//---- by_what_is_known_when_running
//: global 7
//: local 1
//: arg a=i64[1000]:iota
//: arg n=994
//: arg by=7
//: arg out=i64[7]
//: expect out = 142 * i + 7 * 10011
kernel void k(global const long* a, int n, int by, global long* out) {
    const int i = get_global_id(0);
    long sum = 0;
    for (int j = i; j < n + i; j += by) sum += a[j];
    out[i] = sum;
}
//---- unsigned_from_below
//: global 6
//: local 1
//: arg a=i32[400]:iota
//: arg n=30
//: arg out=i32[6]
//: expect out = 30 * (i * 40) + 435
kernel void k(global const int* a, uint n, global int* out) {
    const uint i = get_global_id(0);
    int sum = 0;
    for (uint j = -n; j != 0; j++) sum += a[i * 40 + n + j];
    out[i] = sum;
}
//---- left_in_the_middle
//: global 9
//: local 1
//: arg a=i32[90]:iota
//: arg n=10
//: arg out=i32[9]
//: expect out = (i + 1) * (i * 10) + i * (i + 1) / 2 + 100 * i
kernel void k(global const int* a, int n, global int* out) {
    const int i = get_global_id(0);
    int sum = 0, j;
    for (j = 0; j < n; j++) {
        sum += a[i * n + j];
        if (j == i) break;
    }
    out[i] = sum + 100 * j;
}
//---- two_ways_back
//: global 8
//: local 1
//: arg a=i32[800]:iota
//: arg n=90
//: arg out=i32[8]
//: expect out = 30 * (i * 100) + 3 * 435 + 2 * (30 * (i * 100) + 3 * 435 + 30) + 30
kernel void k(global const int* a, int n, global int* out) {
    const int i = get_global_id(0) * 100;
    int sum = 0;
    for (int j = 0; j < n; j++) {
        const int x = a[i + j];
        if (j % 3 == 0) {
            sum += x;
            continue;
        }
        if (j % 3 == 1) sum += 2 * x + 1;
    }
    out[i / 100] = sum;
}
//---- no_iteration
//: global 4
//: local 1
//: arg a=i32[4]:iota
//: arg n=0
//: arg out=i32[4]
//: expect out = 5
kernel void k(global const int* a, int n, global int* out) {
    const int i = get_global_id(0);
    int sum = 5;
    for (int j = 0; j < n; j++) sum += a[i * 2000000000 + j];
    out[i] = sum;
}
//---- far_from_where_the_pointer_is
//: global 4
//: local 1
//: arg a=i32[300]:iota
//: arg n=50
//: arg out=i32[4]
//: expect out = 50 * (i * 60) + 1225
kernel void k(global const int* a, int n, global int* out) {
    const int i = get_global_id(0);
    global const int* end = a + 300;
    int sum = 0;
    for (int j = 0; j < n; j++) sum += end[i * 60 + j - 300];
    out[i] = sum;
}
//---- structures
//: global 4
//: local 1
//: arg a=i32[600]:iota
//: arg n=40
//: arg out=i32[4]
//: expect out = 40 * (i * 120 + 1) + 3 * 780 + 40 * (i * 120 + 2) + 3 * 780
struct three { int x, y, z; };
kernel void k(global const int* a, int n, global int* out) {
    const int i = get_global_id(0);
    global const struct three* s = (global const struct three*)a;
    int sum = 0;
    for (int j = 0; j < n; j++) sum += s[i * n + j].y + s[i * n + j].z;
    out[i] = sum;
}
//---- private_and_local
//: global 4
//: local 1
//: not host: barriers
//: arg n=30
//: arg out=i32[4]
//: expect out = 435 * (i + 1) + 30 * 7
kernel void k(int n, global int* out) {
    local int t[64];
    int p[40];
    const int i = get_global_id(0);
    for (int j = 0; j < n; j++) p[j + 5] = j * i;
    for (int j = 0; j < n; j++) t[j + 3] = j;
    barrier(CLK_LOCAL_MEM_FENCE);
    int sum = 0;
    for (int j = 0; j < n; j++) sum += p[j + 5] + t[j + 3] + 7;
    out[i] = sum;
}
//---- loads_before_and_in_loops
//: global 32
//: local 32
//: not host: barriers
//: arg a=i32[64]:iota
//: arg n=3
//: arg out=i32[96]
//: expect a = i < 32 ? i : i + 3
//: expect out = i < 32 ? i * 4 : i < 64 ? 4 * (i - 32) + 3 : 2 * ((i - 63) % 32 + 1)
// What a load gave before a loop holds in it unless a store may change it: `b` may be `a`, and others store to
// local memory between barriers.
kernel void k(global int* a, int n, global int* out) {
    local int t[32];
    int i = get_global_id(0), lid = get_local_id(0), sum = a[i];
    for (int k = 0; k < n; k++) sum += a[i];
    out[i] = sum;
    global int* b = n > 100 ? out : a;
    int more = a[32 + i] - 32;
    for (int k = 0; k < n; k++) {
        more += a[32 + i] - 32;
        b[32 + i] = a[32 + i] + 1;
    }
    out[32 + i] = more;
    t[lid] = lid;
    int v = t[(lid + 1) % 32];
    for (int k = 0; k < 2; k++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        v = t[(lid + 1) % 32];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (k == 0) t[lid] = 2 * lid + 2;
    }
    out[64 + i] = v;
}
