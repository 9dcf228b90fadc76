// Loops that walk with the stride of a launch or a group: all lanes are in until the last iteration.
//---- sums
//: global 96
//: local 32
//: arg x=i32[1000]:iota
//: arg n=1000
//: arg out=i32[96]
//: expect out = (1000 - i + 95) / 96 * i + 48 * ((1000 - i + 95) / 96) * ((1000 - i + 95) / 96 - 1)
kernel void k(global const int* x, int n, global int* out) {
    int s = 0;
    for (int i = get_global_id(0); i < n; i += get_global_size(0)) s += x[i];
    out[get_global_id(0)] = s;
}
//---- stores
//: global 64
//: local 64
//: arg out=u16[777]
//: arg n=777
//: expect out = i * 3
kernel void k(global ushort* out, uint n) {
    for (uint i = get_local_id(0); i < n; i += get_local_size(0)) out[i] = i * 3;
}
//---- long_index
//: global 100
//: local 50
//: arg x=u32[3000]:iota
//: arg out=u32[100]
//: expect out = 30 * i + 100 * 15 * 29
kernel void k(global const uint* x, global uint* out) {
    uint s = 0;
    for (size_t i = get_global_id(0); i < 3000; i += get_global_size(0)) s += x[i];
    out[get_global_id(0)] = s;
}
//---- bound_from_memory
//: global 128
//: local 64
//: arg ends=i32[9]:iota
//: arg x=i32[700]:iota
//: arg out=i32[128]
//: expect out = (180 + i / 64 * 90 - i % 64) / 64 + (210 + i / 64 * 90 - i % 64) / 64
//:  + (240 + i / 64 * 90 - i % 64) / 64 + (270 + i / 64 * 90 - i % 64) / 64 + 4
kernel void k(global const int* ends, global const int* x, global int* out) {
    int s = 0, g = get_group_id(0);
    for (int r = 0; r < 4; ++r)
        for (int i = ends[r] * 60 + (int)get_local_id(0); i <= ends[r + 2 + g] * 90; i += 64) s += x[i] == i;
    out[get_global_id(0)] = s;
}
//---- wraps
//: global 64
//: local 64
//: arg n=4294967290
//: arg m=-2147483640
//: arg out=u32[64]
//: arg low=u32[64]
//: expect out = (296 - 3 * i) / 7 * 7 - (290 - 3 * i) == 6 || (296 - 3 * i) / 7 > 40 ? 40 : (296 - 3 * i) / 7
//: expect low = i < 8 ? (9 - i) / 2 : 0
kernel void k(uint n, int m, global uint* out, global uint* low) {
    // Lanes that step over the six numbers from n on begin anew at 0.
    uint turns = 0;
    for (uint i = get_global_id(0) * 3 + 4294967000u; i < n && turns < 40; i += 7) ++turns;
    out[get_global_id(0)] = turns;
    turns = 0;
    for (int i = (int)get_global_id(0) + (-2147483647 - 1); i < m; i += 2) turns++;
    low[get_global_id(0)] = turns;
}
//---- wraps_within_a_wave
//: global 64
//: local 64
//: arg out=u32[64]
//: arg n=4000000000
//: expect out = i < 10 ? 0 : 3
kernel void k(global uint* out, uint n) {
    // Lanes 0 to 9 are not below n, those behind them have passed 0.
    uint turns = 0;
    for (uint i = get_global_id(0) + 4294967286u; i < n && turns < 3; i += 1000) ++turns;
    out[get_global_id(0)] = turns;
}
//---- ends_apart
//: global 64
//: local 64
//: arg x=i32[2000]:iota
//: arg out=i32[64]
//: arg last=i32[64]
//: expect out = (600 - i) / 64 + 2 + (10 - (i + (600 - i) / 64 + 1) % 7) % 7
//: expect last = i + 64 * ((600 - i) / 64 + 1 + (10 - (i + (600 - i) / 64 + 1) % 7) % 7)
kernel void k(global const int* x, global int* out, global int* last) {
    // What lanes know that leave by another way. 64 is 1 more than a multiple of 7.
    int i = get_global_id(0), s = 0, seen = -1;
    for (; i < 1900; i += 64) {
        s += x[i] == i;
        if (i % 7 == 3 && i > 600) {
            seen = i;
            break;
        }
    }
    out[get_global_id(0)] = s;
    last[get_global_id(0)] = seen;
}
//---- at_the_end
//: global 60
//: local 20
//: arg x=i32[2000]:iota
//: arg out=i32[60]
//: expect out = (1799 - i + 60 + i % 4 * 10) / (60 + i % 4 * 10)
kernel void k(global const int* x, global int* out) {
    int g = get_global_id(0), i = g, s = 0;
    do {
        s += x[i] == i;
        i += 60 + g % 4 * 10;
    } while (i < 1800);
    out[g] = s;
}
//---- leaves
//: global 64
//: local 32
//: arg x=i32[2000]:iota
//: arg n=1500
//: arg out=i32[64]
//: expect out = (1563 - i) / 64 / 2 + 1000 * ((750 - i) / 128 + 1)
kernel void k(global const int* x, int n, global int* out) {
    int s = 0, t = 0;
    for (int i = get_global_id(0);; i += get_global_size(0)) {
        if (n <= i) break;
        t += x[i] == i;
        if (t & 1) continue;
        s++;
    }
    for (int i = get_global_id(0);; i += 2 * get_global_size(0)) {
        if (n < 2 * i) break;
        s += 1000 * (x[i] == i);
    }
    out[get_global_id(0)] = s;
}
//---- some_start
//: global 96
//: local 32
//: arg x=i32[2000]:iota
//: arg out=i32[96]
//: expect out = (i % 5 != 2 ? (1095 - i) / 96 : 0) + (i < 40 ? (47 - i) / 8 * 100 : 0)
kernel void k(global const int* x, global int* out) {
    int g = get_global_id(0), s = 0;
    if (g % 5 != 2)
        for (int i = g; i < 1000; i += 96) s += x[i] == i;
    for (int i = g; i < 40; i += 8) s += x[i] == i ? 100 : 0;
    out[g] = s;
}
//---- nested
//: global 64
//: local 64
//: arg x=i32[4000]:iota
//: arg out=i32[300]
//: expect out = 7 * i + i % 3
kernel void k(global const int* x, global int* out) {
    for (int row = get_global_id(0); row < 300; row += 64) {
        int s = 0;
        for (int j = row * 3; j < row * 10 + row % 3; ++j) s += x[j] == j;
        out[row] = s;
    }
}
//---- throws
//: global 64
//: local 64
//: arg x=i32[1000]:iota
//: arg out=i32[64]
//: expect out = i == 9 ? -12 : (963 - i) / 64
kernel void k(global const int* x, global int* out) {
    int s = 0;
    try {
        for (int i = get_global_id(0); i < 900; i += 64) {
            if (x[i] == 777) throw s;
            s += x[i] == i;
        }
    } catch (int v) {
        s = -v;
    }
    out[get_global_id(0)] = s;
}
//---- between_barriers
//: global 128
//: local 64
//: arg x=i32[2000]:iota
//: arg n=1999
//: arg out=i32[2]
//: expect out = {1999, 999}
//: not host: barriers
kernel void k(global const int* x, int n, global int* out) {
    local int sums[64];
    int lid = get_local_id(0), s = 0;
    for (int i = get_group_id(0) * 1000 + lid; i < n; i += 64) s += x[i] == i;
    sums[lid] = s;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int step = 32; step > 0; step /= 2) {
        if (lid < step) sums[lid] += sums[lid + step];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lid == 0) out[get_group_id(0)] = sums[0];
}
