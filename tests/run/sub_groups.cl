// What work-items of a sub-group know of each other. How many there are is the engine's matter, unless a kernel says it.
//---- sizes_and_ids
//: global 120
//: local 60
//: arg out=i32[120]
//: expect out = 1
//: not host: no sub-groups
//: not opencl: no sub-groups in OpenCL C 1.2
kernel void k(global int* out) {
    uint i = get_local_id(0), size = get_max_sub_group_size(), id = get_sub_group_id();
    out[get_global_id(0)] = get_sub_group_local_id() == i % size && id == i / size
        && get_num_sub_groups() == (60 + size - 1) / size && get_enqueued_num_sub_groups() == get_num_sub_groups()
        && get_sub_group_size() == min(size, 60 - id * size);
}
//---- rows
//: global 12,6
//: local 12,3
//: arg out=i32[72]
//: expect out = 1
//: not host: no sub-groups
//: not opencl: no sub-groups in OpenCL C 1.2
kernel void k(global int* out) {
    local int seen[36];
    int i = get_local_id(1) * 12 + get_local_id(0);
    seen[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    // Every place of every sub-group is somebody's.
    int first = 0, width = get_max_sub_group_size();
    if (get_sub_group_local_id() == 0) atomic_add(&seen[get_sub_group_id()], get_sub_group_size());
    barrier(CLK_LOCAL_MEM_FENCE);
    int sum = 0;
    for (int k = 0; k < get_num_sub_groups(); ++k) sum += seen[k];
    out[get_global_id(1) * 12 + get_global_id(0)] = sum == 36 && get_sub_group_local_id() < get_sub_group_size();
}
//---- required_size
//: global 64
//: local 64
//: arg out=u32[64]
//: expect out = 32
//: not host: no sub-groups
//: not opencl: no sub-groups in OpenCL C 1.2
__attribute__((reqd_sub_group_size(32))) kernel void k(global uint* out) {
    out[get_global_id(0)] = get_max_sub_group_size();
}
//---- ballots
//: global 64
//: local 64
//: arg out=i32[64]
//: expect out = 1
//: not host: no sub-groups
//: not opencl: no sub-groups in OpenCL C 1.2
kernel void k(global int* out) {
    int i = get_global_id(0), lane = get_sub_group_local_id(), size = get_sub_group_size();
    ulong threes = sub_group_ballot64(lane % 3 == 0), all = sub_group_ballot64(1);
    ulong want = 0;
    for (int l = 0; l < size; l += 3) want |= 1ul << l;
    out[i] = threes == want && popcount(all) == size && sub_group_ballot64(0) == 0;
}
//---- only_who_is_here
//: global 64
//: local 64
//: arg out=i32[64]
//: expect out = i % 4 == 1 ? 1 : i % 4 == 3 ? 2 : 0
//: not host: no sub-groups
//: not opencl: no sub-groups in OpenCL C 1.2
kernel void k(global int* out) {
    int i = get_global_id(0), lane = get_sub_group_local_id(), size = get_max_sub_group_size();
    if (i % 2) {
        ulong odd = sub_group_ballot64(1);
        if (i % 4 == 1)
            out[i] = popcount(sub_group_ballot64(1)) == size / 4;
        else
            out[i] = 1 + (popcount(odd) == size / 2);
    }
}
//---- votes
//: global 64
//: local 64
//: arg out=i32[64]
//: expect out = 0x2b
//: not host: no sub-groups
//: not opencl: no sub-groups in OpenCL C 1.2
kernel void k(global int* out) {
    int lane = get_sub_group_local_id(), group = get_group_id(0);
    int bits = sub_group_any(lane == 3);
    bits |= sub_group_all(lane >= 0) << 1;
    bits |= sub_group_any(lane < 0) << 2;
    bits |= sub_group_non_uniform_any(lane != 3) << 3;
    bits |= sub_group_all(lane == 3) << 4;
    bits |= sub_group_non_uniform_all_equal(group * 2.5f) << 5;
    bits |= sub_group_non_uniform_all_equal(lane) << 6;
    out[get_global_id(0)] = bits;
}
//---- one_is_elected
//: global 64
//: local 64
//: arg out=i32[64]
//: arg count=i32[2]
//: expect out = i
//: expect count = {64, 0}
//: not host: no sub-groups
//: not opencl: no sub-groups in OpenCL C 1.2
kernel void k(global int* out, global int* count) {
    // One after the other leaves.
    for (;;) {
        if (sub_group_elect()) {
            atomic_add(count, (int)popcount(sub_group_ballot64(1)));
            break;
        }
    }
    out[get_global_id(0)] = get_global_id(0);
}
//---- broadcasts
//: global 64
//: local 64
//: arg out=i32[64]
//: expect out = 1
//: not host: no sub-groups
//: not opencl: no sub-groups in OpenCL C 1.2
kernel void k(global int* out) {
    int i = get_global_id(0), lane = get_sub_group_local_id(), first = i - lane;
    double d = sub_group_broadcast(i * 0.5, 3u);
    long b = sub_group_non_uniform_broadcast((long)i << 40, 2u);
    short s = sub_group_broadcast_first((short)(i - 100));
    int other = 0;
    if (lane > 2) other = sub_group_broadcast_first(i) == first + 3 && sub_group_broadcast(i, 1u) == 0;
    out[i] = d == (first + 3) * 0.5 && b == (long)(first + 2) << 40 && s == first - 100 && other == (lane > 2);
}
//---- shuffles
//: global 64
//: local 64
//: arg out=i32[64]
//: arg swapped=f32[64]
//: expect out = 1
//: expect swapped = (i ^ 1) * 1.5f
//: not host: no sub-groups
//: not opencl: no sub-groups in OpenCL C 1.2
kernel void k(global int* out, global float* swapped) {
    int i = get_global_id(0), lane = get_sub_group_local_id(), size = get_max_sub_group_size();
    int first = i - lane, last = size - 1;
    swapped[i] = sub_group_shuffle_xor(i * 1.5f, 1u);
    ulong reversed = sub_group_shuffle((ulong)i << 33, (uint)(last - lane));
    uchar up = sub_group_shuffle_up((uchar)(i + 1), 1u);
    int down = sub_group_shuffle_down(i + 1, 2u);
    int turned = sub_group_rotate(i, 3), nobody = sub_group_shuffle(i + 1, 1000u);
    out[i] = reversed == (ulong)(first + last - lane) << 33 && up == (lane ? i : 0)
        && down == (lane + 2 < size ? i + 3 : 0) && turned == first + (lane + 3) % size && nobody == 0;
}
//---- reductions
//: global 64
//: local 64
//: arg out=i32[64]
//: expect out = 1
//: not host: no sub-groups
//: not opencl: no sub-groups in OpenCL C 1.2
kernel void k(global int* out) {
    int i = get_global_id(0), lane = get_sub_group_local_id(), size = get_max_sub_group_size(), first = i - lane;
    int x = i * 7919 % 101 - 50;
    int sum = 0, low = 1000, high = -1000;
    for (int l = 0; l < size; ++l) {
        int other = sub_group_shuffle(x, (uint)l);
        sum += other, low = min(low, other), high = max(high, other);
    }
    bool same = sub_group_reduce_add(x) == sum && sub_group_reduce_min(x) == low && sub_group_reduce_max(x) == high;
    same = same && sub_group_reduce_add((long)x << 30) == (long)sum << 30;
    same = same && sub_group_reduce_add((double)x) == sum && sub_group_reduce_min((float)x) == low;
    same = same && sub_group_reduce_max((uint)x) == 0xffffffffu - (uint)(-1 - sub_group_reduce_max(x < 0 ? x : -1000));
    same = same && sub_group_reduce_add((char)100) == (char)(100 * size);
    same = same && sub_group_non_uniform_reduce_xor(lane) == (size > 2 ? 0 : 1);
    same = same && sub_group_non_uniform_reduce_or((ushort)(1 << lane % 16)) == (ushort)((1 << min(size, 16)) - 1);
    same = same && sub_group_non_uniform_reduce_and(~(1ul << lane)) == ~sub_group_ballot64(1);
    same = same && sub_group_non_uniform_reduce_mul(lane == 2 ? 3 : lane == 3 ? 5 : 1) == 15;
    out[i] = same;
}
//---- scans
//: global 64
//: local 64
//: arg out=i32[64]
//: expect out = 1
//: not host: no sub-groups
//: not opencl: no sub-groups in OpenCL C 1.2
kernel void k(global int* out) {
    int i = get_global_id(0), lane = get_sub_group_local_id();
    int x = i * 7919 % 101 - 50;
    long sum = 0;
    int low = INT_MAX, before = 0;
    for (int l = 0; l < get_max_sub_group_size(); ++l) {
        int other = sub_group_shuffle(x, (uint)l);
        if (l < lane) before += other;
        if (l <= lane) sum += other, low = min(low, other);
    }
    out[i] = sub_group_scan_inclusive_add((long)x) == sum && sub_group_scan_exclusive_add(x) == before
        && sub_group_scan_inclusive_min(x) == low
        && sub_group_scan_exclusive_max((uint)lane) == (lane ? lane - 1 : 0)
        && sub_group_scan_exclusive_min((float)lane) == (lane ? 0.0f : INFINITY)
        && sub_group_scan_exclusive_min((ushort)(lane + 7)) == (lane ? 7 : 65535);
}
//---- gaps
//: global 64
//: local 64
//: arg out=i32[64]
//: expect out = i % 5 == 2 || i % 7 == 1 ? 1 : 0
//: not host: no sub-groups
//: not opencl: no sub-groups in OpenCL C 1.2
kernel void k(global int* out) {
    int i = get_global_id(0), lane = get_sub_group_local_id(), first = i - lane;
    bool here = i % 5 == 2 || i % 7 == 1;
    int sum = 0, before = 0;
    for (int l = first; l < first + get_max_sub_group_size(); ++l)
        if (l % 5 == 2 || l % 7 == 1) {
            if (l < i) before += l * l;
            sum += l * l;
        }
    if (here) out[i] = sub_group_reduce_add(i * i) == sum && sub_group_scan_exclusive_add(i * i) == before;
}
//---- order_of_floats
//: global 16
//: local 16
//: arg in=f32[16]
//: arg out=f32[16]
//: arg total=f32[16]
//: expect out = {1e8f, 1e8f, 0.0f, 0.0f, 0.0f, 0.0f, 1.0f, 0.0f, 0.0f, 0.0f, 1.0f, 0.0f, 0.0f, 0.0f, 1.0f, 0.0f}
//: expect total = 0.0f
//: not host: no sub-groups
//: not opencl: no sub-groups in OpenCL C 1.2
__attribute__((reqd_sub_group_size(16))) kernel void k(global float* in, global float* out, global float* total) {
    int i = get_global_id(0);
    float x = i == 0 ? 1e8f : i == 2 ? -1e8f : i == 1 || i == 3 ? 1.0f : 0.0f;
    out[i] = sub_group_scan_inclusive_add(x);
    total[i] = sub_group_reduce_add(x);
}
//---- together_in_a_round
//: global 64
//: local 64
//: arg out=i32[64]
//: expect out = 1
//: not host: no sub-groups
//: not opencl: no sub-groups in OpenCL C 1.2
kernel void k(global int* out) {
    // Who leaves in a round meets only those who leave in it, and behind the loop all meet again.
    int i = get_global_id(0), lane = get_sub_group_local_id(), size = get_max_sub_group_size();
    bool right = true;
    for (int round = 0;; ++round) {
        right = right && popcount(sub_group_ballot64(1)) == size / 4 * (4 - round);
        if (lane % 4 == round) {
            right = right && popcount(sub_group_ballot64(1)) == size / 4;
            break;
        }
    }
    out[i] = right && popcount(sub_group_ballot64(1)) == size;
}
//---- calls_and_returns
//: global 64
//: local 64
//: arg out=i32[64]
//: expect out = i % 2 ? 5 : 3
//: not host: no sub-groups
//: not opencl: no sub-groups in OpenCL C 1.2
int in_rounds(int lane, int size) {
    for (int n = 0; n < 3; ++n)
        if (n == lane % 2) return 2 * n + (popcount(sub_group_ballot64(1)) == size / 2);
    return 100;
}
kernel void k(global int* out) {
    int i = get_global_id(0), lane = get_sub_group_local_id(), size = get_max_sub_group_size();
    int r = in_rounds(lane, size);
    r += popcount(sub_group_ballot64(1)) == size;
    out[i] = r + (sub_group_all(r > 0) && sub_group_any(r == 4));
}
//---- thrown_together
//: global 64
//: local 64
//: arg out=i32[64]
//: expect out = i % 4 ? 7 : 1
//: not host: no sub-groups
//: not opencl: no sub-groups in OpenCL C 1.2
kernel void k(global int* out) {
    int i = get_global_id(0), lane = get_sub_group_local_id(), size = get_max_sub_group_size();
    int r = 0;
    try {
        for (int n = 0; n < 4; ++n)
            if (n && lane % 4 == n) throw n;
    } catch (int e) {
        // Thrown in different rounds, caught together.
        r = 2 * (popcount(sub_group_ballot64(1)) == size / 4 * 3) + 4;
    }
    out[i] = r + (popcount(sub_group_ballot64(1)) == size);
}
//---- memory_of_neighbours
//: global 64
//: local 64
//: arg out=i32[64]
//: expect out = 3 * (i ^ 1)
//: not host: no sub-groups
//: not opencl: no sub-groups in OpenCL C 1.2
kernel void k(global int* out) {
    local int cell[64];
    int i = get_local_id(0);
    cell[i] = 3 * i;
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = cell[i ^ 1];
}
//---- compaction
//: global 256
//: local 64
//: arg in=i32[256]:rand(7,0,100)
//: arg out=i32[256]
//: arg count=i32[1]
//: arg sum=i32[1]
//: expect count = {sum(k, 0, 256, in[k] < 30)}
//: expect sum = {sum(k, 0, 256, in[k] < 30 ? in[k] : 0)}
//: expect out = 0
//: not host: no sub-groups
//: not opencl: no sub-groups in OpenCL C 1.2
kernel void k(global const int* in, global int* out, global int* count, global int* sum) {
    int i = get_global_id(0), x = in[i];
    bool keep = x < 30;
    ulong kept = sub_group_ballot64(keep);
    int before = popcount(kept & ((1ul << get_sub_group_local_id()) - 1)), base = 0;
    if (sub_group_elect()) base = atomic_add(count, (int)popcount(kept));
    base = sub_group_broadcast_first(base);
    if (keep) out[base + before] = x;
    sub_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_sub_group);
    if (keep) {
        atomic_add(sum, out[base + before]);
        out[base + before] = 0;
    }
}
//---- ballots_of_128_bits
//: global 64
//: local 64
//: arg out=u32[64]
//: expect out = 0x7fff
//: not host: no sub-groups
//: not opencl: no sub-groups in OpenCL C 1.2
kernel void k(global uint* out) {
    uint lane = get_sub_group_local_id(), size = get_sub_group_size(), widest = get_max_sub_group_size();
    uint4 odd = sub_group_ballot(lane & 1), every = sub_group_ballot(1), none = sub_group_ballot(0);
    ulong bits = odd.x | (ulong)odd.y << 32;
    uint r = bits == (widest == 64 ? ~0ul : (1ul << widest) - 1) / 3 * 2;
    r |= (odd.z == 0 && odd.w == 0 && !any(as_int4(none != 0))) << 1;
    r |= (sub_group_inverse_ballot(odd) == (lane & 1)) << 2;
    r |= (sub_group_ballot_bit_extract(odd, 3) == 1 && sub_group_ballot_bit_extract(odd, 6) == 0) << 3;
    r |= (sub_group_ballot_bit_extract((uint4)(0, 0, ~0u, ~0u), 70) == 0) << 4;
    r |= (sub_group_ballot_bit_count(odd) == size / 2 && sub_group_ballot_bit_count((uint4)(~0u)) == widest) << 5;
    r |= (sub_group_ballot_inclusive_scan(odd) == (lane + 1) / 2) << 6;
    r |= (sub_group_ballot_exclusive_scan(every) == lane) << 7;
    r |= (sub_group_ballot_find_lsb(odd) == 1 && sub_group_ballot_find_msb(odd) == size - 1) << 8;
    uint4 eq = get_sub_group_eq_mask(), lt = get_sub_group_lt_mask(), le = get_sub_group_le_mask();
    uint4 gt = get_sub_group_gt_mask(), ge = get_sub_group_ge_mask(), full = (uint4)(~0u, widest == 64 ? ~0u : 0, 0, 0);
    if (widest < 32) full.x = (1u << widest) - 1;
    r |= (sub_group_ballot_bit_count(eq) == 1 && sub_group_ballot_find_lsb(eq) == lane) << 9;
    r |= (sub_group_ballot_bit_count(lt) == lane) << 10;
    r |= all(le == (lt | eq)) << 11;
    r |= all(ge == (gt | eq)) << 12;
    r |= all((lt | ge) == full) << 13;
    r |= all((lt & ge) == none) << 14;
    out[get_global_id(0)] = r;
}
//---- a_way_out_that_is_always_taken
// Work-items of one iteration are together, also where nothing but the exit is left behind the operation.
//: not host: no sub-groups
//: not opencl: no sub-groups in OpenCL C 1.2
//: global 8
//: local 8
//: arg out=u64[8]
//: arg flag=u64[8]
//: arg tests=u64[8]
//: arg in_condition=u64[8]
//: expect out = i % 3 == 1 ? 146 : i % 3 == 0 ? 73 : 36
//: expect flag = i % 3 == 1 ? 146 : i % 3 == 0 ? 73 : 36
//: expect tests = i % 3 == 1 ? 146 : i % 3 == 0 ? 73 : 36
//: expect in_condition = i % 3 == 1 ? 146 : i % 3 == 0 ? 73 : 36
kernel void k(global ulong* out, global ulong* flag, global ulong* tests, global ulong* in_condition) {
    uint i = get_global_id(0), x = i;
    for (;; ++x)
        if (x % 3 == 1) {
            out[i] = sub_group_ballot64(1);
            if (1) break;
        }
    x = i;
    bool done;
    do {
        done = false;
        if (x++ % 3 == 1) {
            flag[i] = sub_group_ballot64(1);
            done = true;
        }
    } while (!done);
    for (x = i; x < 20; ++x)
        if (x % 3 == 1) {
            tests[i] = sub_group_ballot64(1);
            if (x > 0) break;
        }
    x = i;
    ulong b = 0;
    while (x < 20 && (x % 3 != 1 || (b = sub_group_ballot64(1), x > 20))) x++;
    in_condition[i] = b;
}
//---- lanes_of_short_groups
//: global 20
//: local 5
//: arg out=i32[20]
//: expect out = i % 5 ? 1 : 0
//: not host: no sub-groups
//: not opencl: no sub-groups in OpenCL C 1.2
kernel void k(global int* out) {
    if (get_sub_group_local_id()) out[get_global_id(0)] = 1;
}
