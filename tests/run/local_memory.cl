// Local memory and barriers: shared by a work-group, in kernels and as parameters.
//---- reversed_within_the_group
//: global 64
//: local 16
//: not host: barriers
//: arg in=i32[64]:iota
//: arg out=i32[64]
//: arg tmp=i32[16]
//: expect out = in[i / 16 * 16 + 15 - i % 16]
kernel void k(global const int* in, global int* out, local int* tmp) {
    int l = get_local_id(0), n = get_local_size(0);
    tmp[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = tmp[n - 1 - l];
}
//---- array_in_the_kernel
//: global 40
//: local 8
//: not host: barriers
//: arg out=i32[40]
//: expect out = i / 8 * 8 + (i % 8 + 1) % 8
kernel void k(global int* out) {
    local int tmp[8];
    int l = get_local_id(0);
    tmp[l] = get_global_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = tmp[(l + 1) % 8];
}
//---- one_variable
//: global 24
//: local 6
//: not host: barriers
//: arg out=i32[24]
//: expect out = i / 6 * 1000
kernel void k(global int* out) {
    local int first;
    if (get_local_id(0) == 0) first = get_group_id(0) * 1000;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = first;
}
//---- tree_reduction
//: global 256
//: local 64
//: not host: barriers
//: arg in=i32[256]:rand(3,-100,100)
//: arg out=i32[4]
//: expect out = sum(k, i * 64, i * 64 + 64, in[k])
kernel void k(global const int* in, global int* out) {
    local int tmp[64];
    int l = get_local_id(0);
    tmp[l] = in[get_global_id(0)];
    for (int step = 32; step > 0; step >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < step) tmp[l] += tmp[l + step];
    }
    if (l == 0) out[get_group_id(0)] = tmp[0];
}
//---- prefix_sums
//: global 64
//: local 32
//: not host: barriers
//: arg in=i32[64]:rand(4,0,10)
//: arg out=i32[64]
//: expect out = sum(k, i / 32 * 32, i + 1, in[k])
kernel void k(global const int* in, global int* out) {
    local int a[32];
    int l = get_local_id(0), g = get_global_id(0);
    a[l] = in[g];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = 1; d < 32; d *= 2) {
        int v = l >= d ? a[l - d] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        a[l] += v;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[g] = a[l];
}
//---- bitonic_sort
//: global 64
//: local 32
//: not host: barriers
//: arg in=i32[64]:rand(5,0,1000)
//: arg out=i32[64]
//: expect out = sum(k, i / 32 * 32, i / 32 * 32 + 32, in[k] * (sum(q, i / 32 * 32, i / 32 * 32 + 32, in[q] < in[k] || (in[q] == in[k] && q < k)) == i % 32))
kernel void k(global const int* in, global int* out) {
    local int a[32];
    int l = get_local_id(0), g = get_global_id(0);
    a[l] = in[g];
    for (int size = 2; size <= 32; size *= 2)
        for (int step = size / 2; step > 0; step /= 2) {
            barrier(CLK_LOCAL_MEM_FENCE);
            int other = l ^ step;
            if (other > l) {
                bool up = (l & size) == 0;
                int x = a[l], y = a[other];
                if ((x > y) == up) {
                    a[l] = y;
                    a[other] = x;
                }
            }
        }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = a[l];
}
//---- transposed_tile
//: global 16,16
//: local 8,8
//: not host: barriers
//: arg in=i32[256]:iota
//: arg out=i32[256]
//: expect out = in[i % 16 * 16 + i / 16]
kernel void k(global const int* in, global int* out) {
    local int tile[8][9];
    int x = get_local_id(0), y = get_local_id(1);
    int gx = get_group_id(0) * 8, gy = get_group_id(1) * 8;
    tile[y][x] = in[(gy + y) * 16 + gx + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[(gx + y) * 16 + gy + x] = tile[x][y];
}
//---- barrier_in_a_uniform_if
//: global 32
//: local 8
//: not host: barriers
//: arg out=i32[32]
//: arg mode=1
//: expect out = i / 8 * 8 + 7 - i % 8
kernel void k(global int* out, int mode) {
    local int tmp[8];
    int l = get_local_id(0);
    tmp[l] = get_global_id(0);
    if (mode) {
        barrier(CLK_LOCAL_MEM_FENCE);
        out[get_global_id(0)] = tmp[7 - l];
    } else {
        out[get_global_id(0)] = -1;
    }
}
//---- barrier_in_a_helper
//: global 24
//: arg tmp=i32[12]
//: local 12
//: not host: barriers
//: arg out=i32[24]
//: expect out = i / 12 * 12 + (i % 12 + 5) % 12
int exchange(local int* tmp, int value, int from) {
    barrier(CLK_LOCAL_MEM_FENCE);
    tmp[get_local_id(0)] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    return tmp[from];
}
kernel void k(global int* out, local int* tmp) {
    int l = get_local_id(0), v = exchange(tmp, get_global_id(0), (l + 2) % 12);
    out[get_global_id(0)] = exchange(tmp, v, (l + 3) % 12);
}
//---- neighbours_over_rounds
//: global 16
//: local 16
//: not host: barriers
//: arg out=i32[16]
//: expect out = {34, 75, 161, 297, 486, 729, 26, 377, 782, 241, 754, 321, 942, 586, 160, 509}
kernel void k(global int* out) {
    local int a[16], b[16];
    int l = get_local_id(0);
    a[l] = l * l;
    for (int round = 0; round < 3; round++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        int left = l > 0 ? a[l - 1] : a[l], right = l < 15 ? a[l + 1] : a[l];
        b[l] = left + a[l] + right;
        barrier(CLK_LOCAL_MEM_FENCE);
        a[l] = b[l] % 1000;
    }
    out[l] = a[l];
}
//---- struct_in_local_memory
//: global 12
//: local 4
//: not host: barriers
//: arg out=i32[12]
//: expect out = (i / 4 * 4 + 3 - i % 4) * 10 + 3 - i % 4
struct pair {
    int a, b;
};
kernel void k(global int* out) {
    local struct pair tmp[4];
    int l = get_local_id(0);
    tmp[l].a = get_global_id(0);
    tmp[l].b = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    struct pair p = tmp[3 - l];
    out[get_global_id(0)] = p.a * 10 + p.b;
}
//---- narrow_elements
//: global 20
//: local 10
//: not host: barriers
//: arg out=i32[20]
//: expect out = u8((i / 10 * 10 + 9 - i % 10) * 20)
kernel void k(global int* out) {
    local uchar tmp[10];
    int l = get_local_id(0);
    tmp[l] = get_global_id(0) * 20;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = tmp[9 - l];
}
//---- two_parameters
//: global 8
//: local 4
//: not host: barriers
//: arg a=i32[4]
//: arg b=f64[4]
//: arg out=f64[8]
//: expect out = f64(i / 4 * 4 + 3 - i % 4) + f64(i % 4 * 3 % 4) / 2
kernel void k(local int* a, local double* b, global double* out) {
    int l = get_local_id(0);
    a[3 - l] = get_global_id(0);
    b[l] = l / 2.0;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = a[l] + b[l * 3 % 4];
}
//---- pointer_chosen_by_condition
//: global 8
//: local 8
//: not host: barriers
//: arg out=i32[8]
//: expect out = i % 2 ? 100 + 7 - i : 7 - i
kernel void k(global int* out) {
    local int a[8], b[8];
    int l = get_local_id(0);
    a[l] = l;
    b[l] = 100 + l;
    barrier(CLK_LOCAL_MEM_FENCE);
    local int* p = l % 2 ? b : a;
    out[l] = p[7 - l];
}
//---- early_return_before_a_barrier_of_the_others
//: global 32
//: local 8
//: not host: barriers
//: not opencl: OpenCL C forbids it
//: arg out=i32[32]
//: expect out = i % 8 < 6 ? i / 8 * 8 + 5 - i % 8 : -1
kernel void k(global int* out) {
    local int tmp[8];
    int l = get_local_id(0);
    if (l >= 6) {
        out[get_global_id(0)] = -1;
        return;
    }
    tmp[l] = get_global_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = tmp[5 - l];
}
//---- global_memory_across_a_barrier
//: global 24
//: local 8
//: not host: barriers
//: arg out=i32[24]
//: arg back=i32[24]
//: expect out = i
//: expect back = i / 8 * 8 + 7 - i % 8
kernel void k(global int* out, global int* back) {
    int g = get_global_id(0), l = get_local_id(0);
    out[g] = g;
    barrier(CLK_GLOBAL_MEM_FENCE);
    back[g] = out[g - l + 7 - l];
}
//---- barrier_without_local_memory_in_a_loop
//: global 10
//: local 5
//: not host: barriers
//: arg out=i32[10]
//: arg rounds=4
//: expect out = i / 5 * 5 + (i % 5 + 4) % 5
kernel void k(global int* out, int rounds) {
    int g = get_global_id(0), l = get_local_id(0), base = g - l;
    out[g] = g;
    for (int j = 0; j < rounds; j++) {
        barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
        int v = out[base + (l + 1) % 5];
        barrier(CLK_GLOBAL_MEM_FENCE);
        out[g] = v;
    }
}
//---- asynchronous_copies
//: not host: copies of a work-group
//: global 16,2
//: local 8,2
//: arg in=i32[100]:iota
//: arg out=i32[64]
//: expect out = i % 2 == 0 ? i / 32 * 50 + i % 32 + 1 : -(i / 32 * 50 + i % 32)
kernel void k(global const int2* in, global int2* out) {
    local int2 tile[25];
    int i = get_local_id(0) + 8 * get_local_id(1), group = get_group_id(0);
    event_t done[2];
    done[0] = async_work_group_copy(tile, in + group * 25, 25, 0);
    wait_group_events(1, done);
    tile[i] = (int2)(tile[i].x + 1, -tile[i].y + 1);
    tile[i].y -= 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    event_t last = async_work_group_copy(out + group * 16, tile, 16, 0);
    wait_group_events(1, &last);
}
//---- asynchronous_copies_with_strides
//: not host: copies of a work-group
//: global 4
//: local 4
//: arg in=f32[40]:iota
//: arg out=f32[30]
//: expect out = i % 3 == 0 ? 4.0f * f32(i / 3) + 100.0f * f32(9 - i / 3) : 0
kernel void k(global const float* in, global float* out) {
    local float tile[10];
    event_t e = async_work_group_strided_copy(tile, in, 10, 4, 0);
    wait_group_events(1, &e);
    float sum[3];
    for (int j = 0, i = get_local_id(0); i < 10; i += 4, j++) sum[j] = tile[i] + 100 * tile[9 - i] / 4;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 0, i = get_local_id(0); i < 10; i += 4, j++) tile[i] = sum[j];
    barrier(CLK_LOCAL_MEM_FENCE);
    e = async_work_group_strided_copy(out, tile, 10, 3, e);
    wait_group_events(1, &e);
}
//---- fences
//: global 64
//: local 32
//: not host: it has no fences
//: arg o=i32[64]
//: arg t=i32[32]
//: expect o = 2 * i
kernel void k(global int* o, local int* t) {
    int i = get_global_id(0), l = get_local_id(0);
    o[i] = i;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    write_mem_fence(CLK_GLOBAL_MEM_FENCE);
    read_mem_fence(CLK_LOCAL_MEM_FENCE);
    t[l] = i;
    mem_fence(CLK_LOCAL_MEM_FENCE);
    mem_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    o[i] += t[l];
}
//---- fences_without_local_memory
//: global 64
//: not host: it has no fences
//: arg o=i32[64]
//: expect o = i + 1
kernel void k(global int* o) {
    int i = get_global_id(0);
    o[i] = i;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    o[i] += 1;
}
//---- borders_in_local_memory
//: global 128
//: local 64
//: not host: barriers
//: arg out=i32[128]
//: expect out = max(i % 64 - 1, 0) + 100 * min(i % 64 + 1, 63)
kernel void k(global int* out) {
    local uchar bytes[64];
    local int words[64];
    int l = get_local_id(0);
    bytes[l] = l;
    words[l] = l * 100;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = bytes[max(l - 1, 0)] + words[min(l + 1, 63)];
}
//---- ids_of_rows_as_shorts
//: global 24,12
//: local 12,12
//: not host: barriers
//: arg in=i16[288]:iota
//: arg out=i16[288]
//: expect out = (i > 3 ? i * (i / 24) : i) + i / 24 * (i % 24 / 12 * 12 + 5)
kernel void k(global const short* in, global short* out) {
    local short t[144];
    int y = get_local_id(1), i = get_global_linear_id();
    t[get_local_linear_id()] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    short v = in[i];
    if (v > 3) v *= (short)y;
    out[i] = v + (short)(y * t[5]);
}
