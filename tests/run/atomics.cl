// Atomic operations on integers in global and local memory.
//---- counter
//: global 100
//: arg count=i32[1]
//: arg seen=i32[100]
//: expect count = {100}
//: expect seen = 1
kernel void k(global int* count, global int* seen) {
    int ticket = atomic_inc(count);
    seen[ticket]++;
}
//---- histogram
//: global 256
//: arg in=u8[256]:rand(1,0,8)
//: arg bins=u32[8]
//: expect bins = sum(k, 0, 256, in[k] == i)
kernel void k(global const uchar* in, global uint* bins) {
    atomic_add(&bins[in[get_global_id(0)]], 1u);
}
//---- add_and_sub
//: global 64
//: arg out=i32[2]
//: expect out = {2016, -2016}
kernel void k(global int* out) {
    int i = get_global_id(0);
    atomic_add(out, i);
    atomic_sub(out + 1, i);
}
//---- min_and_max
//: global 128
//: arg in=i32[128]:rand(2,-1000,1000)
//: arg out=i32[2]
//: arg check=i32[128]
//: expect out = {-1000, 980}
//: expect check = 1
kernel void k(global const int* in, global int* out, global int* check) {
    int i = get_global_id(0);
    check[i] = 1;
    atomic_min(out, in[i]);
    atomic_max(out + 1, in[i]);
}
//---- unsigned_min_and_max
//: global 10
//: arg out=u32[2]:fill(2147483648)
//: expect out = {5, 4294967295}
kernel void k(global uint* out) {
    uint i = get_global_id(0);
    atomic_min(out, i + 5);
    atomic_max(out + 1, ~i);
}
//---- and_or_xor
//: global 32
//: arg out=u32[3]:fill(4294967295)
//: expect out = {0xaaaaaaaa, 0xffffffff, 0}
kernel void k(global uint* out) {
    uint i = get_global_id(0);
    if (i % 2 == 0) atomic_and(out, ~(1u << i));
    atomic_or(out + 1, 1u << i);
    atomic_xor(out + 2, 1u << i);
}
//---- decrement
//: global 40
//: arg out=i32[1]
//: expect out = {-40}
kernel void k(global int* out) { atomic_dec(out); }
//---- exchange_gives_the_old_value
//: global 1
//: arg out=i32[3]:fill(7)
//: expect out = {9, 7, 9}
kernel void k(global int* out) {
    out[1] = atomic_xchg(out, 8);
    out[2] = atomic_xchg(out, 9) + 1;
}
//---- compare_and_exchange
//: global 1
//: arg out=i32[4]:fill(5)
//: expect out = {6, 5, 6, 6}
kernel void k(global int* out) {
    out[1] = atomic_cmpxchg(out, 5, 6);
    out[2] = atomic_cmpxchg(out, 5, 7);
    out[3] = out[0];
}
//---- only_one_wins
//: global 200
//: arg flag=i32[1]
//: arg winners=i32[1]
//: expect flag = {1}
//: expect winners = {1}
kernel void k(global int* flag, global int* winners) {
    if (atomic_cmpxchg(flag, 0, 1) == 0) atomic_inc(winners);
}
//---- old_spellings
//: global 50
//: arg out=u32[4]
//: expect out = {50, 1225, 49, 0xffffffce}
kernel void k(global uint* out) {
    uint i = get_global_id(0);
    atom_inc(out);
    atom_add(out + 1, i);
    atom_max(out + 2, i);
    atom_dec(out + 3);
}
//---- divergent_addresses
//: global 96
//: arg out=i32[10]
//: expect out = sum(k, 0, 96, k % 3 != 1 && k * 7 % 10 == i ? k : 0)
kernel void k(global int* out) {
    int i = get_global_id(0);
    if (i % 3 != 1) atomic_add(out + i * 7 % 10, i);
}
//---- results_add_up
//: global 64
//: arg total=i32[1]
//: arg sums=i32[1]
//: expect total = {64}
//: expect sums = {2016}
kernel void k(global int* total, global int* sums) {
    int before = atomic_add(total, 1);
    atomic_add(sums, before);
}
//---- in_a_loop
//: global 20
//: arg out=i32[1]
//: expect out = {190}
kernel void k(global int* out) {
    int i = get_global_id(0);
    for (int j = 0; j < i; j++) atomic_inc(out);
}
//---- on_local_memory
//: global 64
//: local 16
//: not host: barriers
//: arg out=i32[4]
//: expect out = sum(k, i * 16, i * 16 + 16, k)
kernel void k(global int* out) {
    local int sum;
    if (get_local_id(0) == 0) sum = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&sum, (int)get_global_id(0));
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) out[get_group_id(0)] = sum;
}
//---- local_histogram
//: global 128
//: local 32
//: not host: barriers
//: arg in=u8[128]:rand(9,0,4)
//: arg out=u32[4]
//: expect out = sum(k, 0, 128, in[k] == i)
kernel void k(global const uchar* in, global uint* out) {
    local uint bins[4];
    int l = get_local_id(0);
    if (l < 4) bins[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&bins[in[get_global_id(0)]]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 4) atomic_add(&out[l], bins[l]);
}
//---- atomic_objects
//: not host: functions of OpenCL C 2.0
//: not opencl: functions of OpenCL C 2.0
//: global 32
//: local 8
//: arg in=i32[32]:iota
//: arg sum=i32[4]
//: arg out=i32[8]
//: expect sum = {496, 31, 32, 1}
//: expect out = {28, 7, 92, 15, 156, 23, 220, 31}
kernel void k(global const int* in, global atomic_int* sum, global int* out) {
    local atomic_int group[2];
    local atomic_flag first;
    int i = get_global_id(0), value = in[i];
    if (get_local_id(0) == 0) {
        atomic_init(&group[0], 0);
        atomic_store(&group[1], 0);
        atomic_flag_clear(&first);
    }
    work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_group);
    atomic_fetch_add(&group[0], value);
    atomic_fetch_max_explicit(&group[1], value, memory_order_relaxed, memory_scope_work_group);
    atomic_fetch_add_explicit(&sum[0], value, memory_order_relaxed);
    atomic_fetch_max(&sum[1], value);
    atomic_work_item_fence(CLK_LOCAL_MEM_FENCE, memory_order_acq_rel, memory_scope_work_group);
    int old = atomic_load(&sum[2]);
    while (!atomic_compare_exchange_weak(&sum[2], &old, old + 1)) {}
    atomic_exchange(&sum[3], 1);
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    int group_id = get_group_id(0);
    if (!atomic_flag_test_and_set(&first)) {
        out[2 * group_id] = atomic_load_explicit(&group[0], memory_order_relaxed, memory_scope_work_group);
        out[2 * group_id + 1] = atomic_load_explicit(&group[1], memory_order_acquire);
    }
}
//---- atomic_floats_and_longs
//: not host: functions of OpenCL C 2.0
//: not opencl: functions of OpenCL C 2.0
//: global 1
//: arg f=f32[2]:iota
//: arg n=u64[4]:fill(5)
//: expect f = {2.5, 0}
//: expect n = {9, 3, 5, 1}
kernel void k(global atomic_float* f, global atomic_ulong* n) {
    float old = atomic_exchange(&f[0], 2.5f);
    atomic_store_explicit(&f[1], old, memory_order_release);
    ulong expected = 4;
    bool swapped = atomic_compare_exchange_strong(&n[0], &expected, 9);
    if (!swapped) swapped = atomic_compare_exchange_strong(&n[0], &expected, 9);
    atomic_fetch_min(&n[1], 3ul);
    atomic_fetch_sub(&n[2], 0ul);
    atomic_store(&n[3], (ulong)swapped);
}
//---- local_updates_of_some_lanes
//: global 192
//: local 96
//: not host: barriers
//: arg in=i32[192]:iota
//: arg out=i32[32]
//: expect out = {520, 520, 520, 520, 496, 499, 502, 505, -520, -520, -520, -520, 916, 913, 910, 907, 520, 520, 520, 520, 496, 499, 502, 505, -520, -520, -520, -520, 820, 817, 814, 811}
kernel void k(global const int* in, global int* out) {
    local int sum[4], most[4], difference[4];
    local uint least[4];
    int l = get_local_id(0), x = in[get_global_id(0)];
    if (l < 4) sum[l] = most[l] = difference[l] = 0, least[l] = 1000;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (x % 3 == 0) {
        int at = x / 3 % 4;
        atomic_add(&sum[at], x / 3 % 32 < 16 ? 128 : 2);
        atomic_max(&most[at], 460 + x / 3 % 16 * 3);
        atomic_sub(&difference[at], x / 3 % 32 < 16 ? 128 : 2);
        atomic_min(&least[at], 1000 - x);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 4) {
        int g = get_group_id(0) * 16;
        out[g + l] = sum[l];
        out[g + l + 4] = most[l];
        out[g + l + 8] = difference[l];
        out[g + l + 12] = least[l];
    }
}
//---- old_values_of_some_lanes
//: global 64
//: not host: barriers
//: arg in=i32[64]:iota
//: arg out=i32[8]
//: expect out = 6 + 3 * 5 + 7 * i
kernel void k(global const int* in, global int* out) {
    local int next[8], first[8];
    int i = get_global_id(0), x = in[i];
    if (i < 8) next[i] = 0, first[i] = 7 * i;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (x & 1) {
        int old = atomic_inc(&next[x / 8]);
        old += atomic_xchg(&first[x / 8], 5);  // one of them gets the first value
        atomic_add(&out[x / 8], old);
    }
}
//---- local_longs_of_some_lanes
//: global 128
//: local 64
//: not host: barriers
//: arg in=i32[128]:iota
//: arg out=i64[6]
//: expect out = {94489281205, 90194313888, 63, 90194315232, 90194315211, 126}
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
kernel void k(global const int* in, global long* out) {
    local long sum[2], most;
    int l = get_local_id(0), x = in[get_global_id(0)];
    if (l == 0) sum[0] = sum[1] = most = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (x % 3 != 1) atom_add(&sum[x % 3 / 2], 0x100000000L + x);
    if (x % 3 == 0) atom_max(&most, (long)x);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0) {
        long g = get_group_id(0) * 3;
        out[g] = sum[0], out[g + 1] = sum[1], out[g + 2] = most;
    }
}
//---- global_updates_of_some_lanes
//: global 200
//: arg in=i32[200]:iota
//: arg sum=i32[7]
//: arg bits=i32[7]
//: arg most=i32[7]
//: arg longs=i64[7]
//: expect sum = {1897, 1846, 2000, 1954, 1903, 1859, 1809}
//: expect bits = {383479222, 230087533, 460175067, 383479222, 230087533, 191739611, 115043766}
//: expect most = {196, 190, 198, 199, 193, 194, 188}
//: expect longs = {8147552960512, 7928509628416, 8589934592000, 8392366096384, 8173322764288, 7984344203264, 7769595838464}
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
kernel void k(global const int* in, global int* sum, global int* bits, global int* most, global long* longs) {
    int i = get_global_id(0), x = in[i];
    if ((x + x / 7) % 3 != 0) {
        atomic_add(&sum[x % 7], x);
        atomic_or(&bits[x % 7], 1 << x / 7);
        atomic_max(&most[x % 7], x);
        atom_add(&longs[x % 7], (long)x << 32);
    }
}
