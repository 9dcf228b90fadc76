//---- a_sum_in_memory
//: global 40
//: arg in=i32[40]:iota
//: arg out=i32[40]:fill(5)
//: arg n=10
//: expect out = 5 + 10 * i + 45
kernel void k(global const int* in, global int* restrict out, int n) {
    int i = get_global_id(0);
    for (int k = 0; k < n; k++) out[i] += in[i] + in[k];
}
//---- a_product_of_matrices
//: global 6,6
//: arg a=i32[36]:iota
//: arg b=i32[36]:fill(2)
//: arg c=i32[36]:fill(100)
//: arg n=6
//: expect c = 50 + (i / 6 * 36 + 15) * 6
kernel void k(global const int* restrict a, global const int* restrict b, global int* restrict c, int n) {
    int x = get_global_id(0), y = get_global_id(1);
    if (x < n && y < n) {
        c[y * n + x] /= 2;
        for (int k = 0; k < n; k++) c[y * n + x] += 3 * a[y * n + k] * b[k * n + x];
    }
}
//---- a_loop_that_does_not_run
//: global 8
//: arg out=i32[8]:fill(7)
//: arg n=0
//: expect out = 7
kernel void k(global int* restrict out, int n) {
    int i = get_global_id(0);
    for (int k = 0; k < n; k++) out[i] += k;
}
//---- lengths_that_differ
//: global 40
//: arg out=i32[40]:fill(1)
//: expect out = 1 + (i % 7 + 1) * (i % 7) / 2
kernel void k(global int* restrict out) {
    int i = get_global_id(0), k = 0;
    do {
        out[i] += k;
    } while (k++ < i % 7);
}
//---- the_same_buffer_twice
//: global 1
//: arg out=i32[4]:fill(1)
//: expect out = {6, 63, 1, 1}
kernel void k(global int* out) {
    global int* other = out + 1;
    for (int k = 0; k < 5; k++) {
        out[0] += 1;
        other[0] += out[0] * 2;
        other[0] += k * 2 + 1 - 2 * k - (k == 4 ? -2 : 0) - (k == 4 ? 0 : 0);
        other[0] += (k == 0) * 15;
    }
}
//---- another_element_may_be_the_same
//: global 8
//: arg out=i32[8]:iota
//: arg at=i32[8]:fill(0)
//: expect out[0] = 0 + 1 + 2 + 4 + 8
//: expect out[1:8] = i
kernel void k(global int* out, global const int* at) {
    int i = get_global_id(0), j = at[i];
    if (i != 0) return;
    for (int k = 0; k < 4; k++) {
        out[0] += 1;
        out[j] += out[0] - 1;
    }
}
//---- only_stores
//: global 20
//: arg out=i32[20]:fill(-1)
//: expect out = i % 4 + 2
kernel void k(global int* restrict out) {
    int i = get_global_id(0);
    for (int k = 0; k <= i % 4; k++) out[i] = k + 2;
}
//---- a_way_out_in_the_middle
//: global 20
//: arg out=i32[20]:fill(0)
//: arg in=i32[20]:iota
//: expect out = i < 9 ? i * (i + 1) / 2 : 45
kernel void k(global int* restrict out, global const int* restrict in) {
    int i = get_global_id(0);
    for (int k = 0;; k++) {
        out[i] += k;
        if (in[k] == i) break;
        if (k == 9) break;
    }
}
//---- local_memory
//: not host: barriers
//: global 32
//: local 16
//: arg out=i32[32]
//: expect out = i % 16 * 4 + 6
kernel void k(global int* out) {
    local int sum[16];
    int l = get_local_id(0);
    sum[l] = 0;
    for (int k = 0; k < 4; k++) sum[l] += l + k;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = sum[l];
}
//---- loops_in_loops
//: global 10
//: arg out=i32[10]
//: arg n=3
//: expect out = 9 * i + 18
kernel void k(global int* restrict out, int n) {
    int i = get_global_id(0);
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++) out[i] += i + a + b;
}
//---- exceptions_in_the_loop
//: global 10
//: arg out=i32[10]
//: arg in=i32[5]:iota
//: expect out = i < 4 ? i + 1 : 5
//: trap throw int 3 at 4,0,0 count 6
kernel void k(global int* restrict out, global const int* restrict in) {
    int i = get_global_id(0);
    for (int k = 0; k <= i; k++) {
        out[i] += 1;
        if (in[k] == 4) throw 3;  // trap here
    }
}
