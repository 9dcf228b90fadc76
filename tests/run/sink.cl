//---- members_for_a_branch_alone
//: global 40
//: arg in=i32[64]:iota
//: arg out=i32[80]
//: expect out = i < 40 ? (i + 3) / 4 * (4 * ((i + 3) / 4) - 3) : i == 40 ? 0 : (i - 37) / 4 * 4 - 1
typedef struct {
    int key, a, b, c;
} row;
kernel void k(global const row* restrict in, global int* restrict out) {
    int i = get_global_id(0), sum = 0;
    for (int j = 0; j < 16; j++) {
        row r = in[j];
        if (r.key < i) {
            sum += r.a * 2 + r.b - r.c;
            out[40 + i] = r.c;
        }
    }
    out[i] = sum;
}
//---- a_store_in_between
//: global 1
//: arg data=i32[8]:iota
//: arg n=3
//: expect data = {0, 1, 2, 3, 4, 4, 6, 7}
kernel void k(global int* data, int n) {
    int before = data[n];
    data[n] = 9;
    if (n < 5) data[n + 2] = before + 1;
    data[n] = 3;
}
//---- a_store_in_the_first_of_two_branches
//: global 1
//: arg data=i32[8]:iota
//: arg n=3
//: expect data = {0, 8, 2, 7, 4, 5, 6, 3}
kernel void k(global int* data, int n) {
    int before = data[n];
    if (data[1] == 1) {
        data[n] = 7;
        if (n < 5) {
            data[1] = 8;
            data[7] = before;
        }
    }
}
//---- a_barrier_in_between
//: not host: barriers
//: global 16
//: local 8
//: arg out=i32[16]
//: expect out = i % 2 ? 14 - 2 * (i % 8) : 3
kernel void k(global int* out) {
    local int t[8];
    int l = get_local_id(0);
    t[l] = 2 * l;
    barrier(CLK_LOCAL_MEM_FENCE);
    int other = t[7 - l];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l & 1) {
        out[get_global_id(0)] = other;
    } else {
        t[l] = 100;
        out[get_global_id(0)] = 3;
    }
}
//---- a_loop_behind_the_branch
//: global 20
//: arg in=i32[20]:iota
//: arg out=i32[20]:fill(-1)
//: arg n=4
//: expect out = i < 5 ? -1 : 4 * (i * 3 + 2)
kernel void k(global const int* in, global int* out, int n) {
    int i = get_global_id(0), step = in[i] * 3 + 2;
    if (i >= 5) {
        int sum = 0;
        for (int j = 0; j < n; j++) sum += step;
        out[i] = sum;
    }
}
