// Groups of several waves that meet at barriers: what a work-item keeps from one barrier to another.
//---- sum_in_a_tree
//: global 1024
//: local 256
//: not host: barriers
//: arg out=i32[4]
//: expect out = i * 65536 + 32640
kernel void k(global int* out) {
    local int s[256];
    int t = get_local_id(0);
    s[t] = get_global_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int n = 128; n > 0; n >>= 1) {
        if (t < n) s[t] += s[t + n];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (t == 0) out[get_group_id(0)] = s[0];
}
//---- two_values_change_places
//: global 128
//: local 128
//: not host: barriers
//: arg out=i32[128]
//: arg n=5
//: expect out = ((i + 2) % 128 + 1000) * 4096 + (i + 3) % 128
kernel void k(global int* out, int n) {
    local int s[128];
    int t = get_local_id(0), a = t, b = t + 1000;
    for (int i = 0; i < n; i++) {
        s[t] = a;
        barrier(CLK_LOCAL_MEM_FENCE);
        a = b;
        b = s[(t + 1) % 128];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = a * 4096 + b;
}
//---- the_value_before_the_last
//: global 256
//: local 128
//: not host: barriers
//: arg out=i32[256]
//: arg n=4
//: expect out = 508 * 3 + 1016 + i
kernel void k(global int* out, int n) {
    local int s[128];
    int t = get_local_id(0), x = t, last, i = 0;
    do {
        last = x;
        s[t] = x;
        barrier(CLK_LOCAL_MEM_FENCE);
        x += s[127 - t];
        barrier(CLK_LOCAL_MEM_FENCE);
    } while (++i < n);
    out[get_global_id(0)] = last * 3 + x + get_global_id(0);
}
//---- flags
//: global 192
//: local 192
//: not host: barriers
//: arg out=i32[192]
//: expect out = i % 3 == 0 ? 1 : i % 3 == 2 ? 2 : 3
kernel void k(global int* out) {
    local int s[192];
    int t = get_local_id(0);
    bool third = t % 3 == 0;
    s[t] = third;
    barrier(CLK_LOCAL_MEM_FENCE);
    bool next = s[(t + 1) % 192] && !third;
    barrier(CLK_LOCAL_MEM_FENCE);
    s[t] = 3;
    if (third) s[t] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[t] = third ? s[t] : next ? 2 : s[t];
}
//---- all_sizes
//: global 128
//: local 64
//: not host: barriers
//: arg in=i32[128]:fill(41)
//: arg out=i32[128]
//: expect out = 103 * (i % 64) + 41
kernel void k(global int* in, global int* out) {
    local int s[64];
    int t = get_local_id(0);
    char c = s[t] = in[get_global_id(0)] ? t : 0;
    short h = s[t] * 100;
    long l = (long)s[t] << 33;
    double d = s[t] * 0.5;
    global int* p = s[t] & 1 ? in + get_global_id(0) : in;
    barrier(CLK_LOCAL_MEM_FENCE);
    s[t] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = c + h + (int)(l >> 33) + (int)(d * 2) + s[63 - t] + *p;
}
//---- private_arrays
//: global 256
//: local 256
//: not host: barriers
//: arg out=i32[256]
//: expect out = i * ((255 - i) % 4)
kernel void k(global int* out) {
    local int s[256];
    int t = get_local_id(0), own[4];
    for (int j = 0; j < 4; j++) own[j] = t * j;
    s[t] = t;
    barrier(CLK_LOCAL_MEM_FENCE);
    int other = s[255 - t] & 3;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[t] = own[other];
}
//---- a_group_leaves
//: global 384
//: local 128
//: not host: barriers
//: arg out=i32[384]
//: expect out = i / 128 == 1 ? 0 : 128
kernel void k(global int* out) {
    local int s[128];
    if (get_group_id(0) == 1) return;
    s[get_local_id(0)] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    int sum = 0;
    for (int i = 0; i < 128; i++) sum += s[i];
    out[get_global_id(0)] = sum;
}
//---- in_every_second_iteration
//: global 128
//: local 64
//: not host: barriers
//: arg out=i32[128]
//: arg n=5
//: expect out = i % 64 + 3
kernel void k(global int* out, int n) {
    local int s[64];
    int t = get_local_id(0), x = t;
    for (int i = 0; i < n; i++) {
        if (i % 2 == 0) {
            x++;
            continue;
        }
        s[t] = x;
        barrier(CLK_LOCAL_MEM_FENCE);
        x = s[63 - t];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = x;
}
//---- loops_of_different_lengths_between
//: global 128
//: local 128
//: not host: barriers
//: arg out=i32[128]
//: expect out = (127 - i) * (128 - i) / 2
kernel void k(global int* out) {
    local int s[128];
    int t = get_local_id(0), sum = 0;
    for (int i = 0; i <= t; i++) sum += i;
    s[t] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[t] = s[127 - t];
}
//---- in_two_dimensions
//: global 8,8
//: local 8,8
//: not host: barriers
//: arg out=i32[64]
//: expect out = i % 8 * 8 + i / 8
kernel void k(global int* out) {
    local int s[8][8];
    int x = get_local_id(0), y = get_local_id(1);
    s[y][x] = y * 8 + x;
    barrier(CLK_LOCAL_MEM_FENCE);
    int v = s[x][y];
    barrier(CLK_LOCAL_MEM_FENCE);
    s[y][x] = v;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[y * 8 + x] = s[y][x];
}
//---- along_y
//: global 2,128
//: local 1,128
//: not host: barriers
//: arg out=i32[256]
//: expect out = 127 - i / 2 + 1000 * (i % 2)
kernel void k(global int* out) {
    local int s[128];
    int t = get_local_id(1);
    s[t] = t;
    barrier(CLK_LOCAL_MEM_FENCE);
    int v = s[127 - t];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(1) * 2 + get_global_id(0)] = v + 1000 * (int)get_global_id(0);
}
//---- with_goto
//: global 64
//: local 64
//: not host: barriers
//: arg out=i32[64]
//: arg n=6
//: expect out = i + 6 * 63
kernel void k(global int* out, int n) {
    local int s[64];
    int t = get_local_id(0), x = t, i = 0;
again:
    s[t] = t;
    barrier(CLK_LOCAL_MEM_FENCE);
    x += s[63 - t] + t;
    if (i < 0) goto again;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (++i < n) goto again;
    out[t] = x;
}
//---- sums_before_each
//: global 512
//: local 256
//: not host: barriers
//: arg out=i32[512]
//: expect out = (i % 256) * (i % 256 + 1) / 2
kernel void k(global int* out) {
    local int s[2][256];
    int t = get_local_id(0), from = 0;
    s[0][t] = t;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int step = 1; step < 256; step *= 2) {
        int v = s[from][t];
        if (t >= step) v += s[from][t - step];
        from = 1 - from;
        s[from][t] = v;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = s[from][t];
}
//---- neighbours_within_borders
//: global 256
//: local 128
//: not host: barriers
//: arg out=i32[256]
//: arg low=20
//: arg high=101
//: expect out = i % 128 < 20 || i % 128 > 101 ? i % 128 : i % 128 == 20 ? 41 : i % 128 == 101 ? 201 : 2 * (i % 128)
kernel void k(global int* out, int low, int high) {
    local int s[128];
    int t = get_local_id(0);
    int west = t - 1 < low ? low : t - 1, east = t + 1 > high ? high : t + 1;
    bool inside = t >= low && t <= high;
    s[t] = t;
    barrier(CLK_LOCAL_MEM_FENCE);
    int v = t;
    if (inside) v = s[west] + s[east];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = v;
}
//---- scattered_in_local_memory
//: global 128
//: local 128
//: not host: barriers
//: arg out=i32[128]
//: expect out = i * 37 % 128 == 5 ? 1000 : i
kernel void k(global int* out) {
    local int s[128];
    local short h[128];
    int t = get_local_id(0);
    s[t * 37 % 128] = t;
    h[t * 37 % 128] = t;
    barrier(CLK_LOCAL_MEM_FENCE);
    int v = s[t * 37 % 128] + h[t * 37 % 128];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t * 37 % 128 == 5) s[(t * 37 + 1) % 128] = 1000;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[t] = t * 37 % 128 == 5 ? s[6] : v / 2;
}
//---- counted_in_local_memory
//: global 256
//: local 256
//: not host: barriers
//: arg out=i32[16]
//: expect out = i < 8 ? 32 * i + 1 : 12
kernel void k(global int* out) {
    local int s[8], least[8];
    int t = get_local_id(0);
    if (t < 8) s[t] = 1, least[t] = 99;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&s[t % 8], t % 8);
    atomic_min(&least[t % 8], t % 8 + 12 - t % 8);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t < 16) out[t] = t < 8 ? s[t] : least[t - 8];
}
//---- several_borders
//: global 256
//: local 256
//: not host: barriers
//: arg out=i32[256]
//: arg n=2
//: expect out = i == 0 ? 5 : i == 1 ? 8 : 7
kernel void k(global int* out, int n) {
    local int s[256];
    int t = get_local_id(0), p = n * 3;
    s[t] = n;
    if (t >= n) p = 5;
    if (t == 0)
        for (int z = 0; z < n; z++) p = n + z;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[t] = p + s[255 - t];
}
//---- one_condition_between_several_barriers
//: global 256
//: local 256
//: not host: barriers
//: arg out=i32[256]
//: expect out = 255 - i + (i > 100 ? 5 : 0 - 7) + (i < 155 ? 1000 : 0)
kernel void k(global int* out) {
    local int s[256];
    int t = get_local_id(0);
    s[t] = t;
    barrier(CLK_LOCAL_MEM_FENCE);
    bool c = s[255 - t] > 100;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (c) s[t] += 5;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (!c) s[t] -= 7;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[t] = s[255 - t] + (c ? 1000 : 0);
}
//---- first_lanes_of_the_second_wave
//: global 64
//: local 64
//: not host: barriers
//: arg out=i32[64]
//: arg n=0
//: arg t=i32[256]
//: expect out = i < 48 ? i + 100 : i
kernel void k(global int* out, int n, local int* t) {
    int l = get_local_id(0);
    t[l] = l;
    t[l + 64] = 100;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 0; j < n; ++j) {
        t[l] += t[l * 3];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l < 48) t[l] += t[l + 64];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = t[l];
}
//---- first_items_of_each_row
//: global 8,8
//: local 8,8
//: not host: barriers
//: arg out=i32[64]
//: arg t=i32[128]
//: expect out = i % 8 < 4 ? i + 100 : i
kernel void k(global int* out, local int* t) {
    int x = get_local_id(0), l = get_local_id(1) * 8 + x;
    t[l] = l;
    t[l + 64] = 100;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (x < 4) t[l] += t[l + 64];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = t[l];
}
//---- sums_of_steps_of_any_length
//: global 96
//: local 96
//: not host: barriers
//: arg out=i32[96]
//: arg s=i32[192]
//: expect out = i == 0 ? 96 * 97 / 2 : 1
kernel void k(global int* out, local int* s) {
    int t = get_local_id(0);
    s[t] = t + 1;
    s[t + 96] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int m = 64; m > 0; m /= 2) {
        if (t < m) s[t] += t + m < 96 ? s[t + m] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[t] = t == 0 ? s[0] : 1;
}
// One wave: the ids are the numbers of its lanes.
//---- a_tree_of_one_wave
//: global 256
//: local 32
//: not host: barriers
//: arg out=i32[8]
//: expect out = i * 32 * 32 + 496
kernel void k(global int* out) {
    local int s[32];
    int t = get_local_id(0);
    s[t] = get_global_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int n = 16; n > 0; n >>= 1) {
        if (t < n) s[t] += s[t + n];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (t == 0) out[get_group_id(0)] = s[0];
}
//---- every_second_lane_of_one_wave
//: global 256
//: local 64
//: not host: barriers
//: arg out=i32[256]
//: expect out = i % 64 == 0 ? i * 64 + 2016 : i % 8 == 5 ? -1 : i % 64 > 60 ? i : 0
kernel void k(global int* out) {
    local int s[64];
    size_t t = get_local_id(0);
    s[t] = get_global_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int n = 1; n < 64; n *= 2) {
        if (t % (2 * n) == 0) s[t] += s[t + n];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if ((t & 7) == 5)
        out[get_global_id(0)] = -1;
    else if (t > 60)
        out[get_global_id(0)] = get_global_id(0);
    if (t == 0) out[get_global_id(0)] = s[get_local_id(1)];
}
//---- lanes_of_one_wave_swap
//: global 64
//: local 16
//: not host: barriers
//: arg out=i32[64]
//: expect out = i % 16 == 3 ? 50 + i : i % 16 < 10 ? (i / 16) * 16 + 15 - i % 16 : i
kernel void k(global int* out) {
    local int s[16];
    const uint t = get_local_id(0);
    s[t] = get_global_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    int x = s[t];
    if (t < 10) x = s[15 - t];
    if (t == 3) x = 50 + get_global_id(0);
    out[get_global_id(0)] = x;
}
// Loops that end when a flag in local memory says so.
//---- until_nothing_changes
//: global 512
//: local 256
//: not host: barriers
//: arg out=i32[512]
//: expect out = 255 + i / 256 * 1000000 + 40000
kernel void k(global int* out) {
    local int t[256], changed;
    const int l = get_local_id(0);
    t[l] = l;
    int rounds = 0;
    do {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l == 0) changed = 0;
        const int old = t[l], far = t[min(l + 7, 255)];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (far > old) {
            t[l] = far;
            changed = 1;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    } while (changed && ++rounds < 40);
    out[get_global_id(0)] = t[l] + get_group_id(0) * 1000000 + (rounds + 3) * 1000;
}
//---- a_flag_and_a_turn
//: global 256
//: local 128
//: not host: barriers
//: arg out=i32[256]
//: expect out = 1 + 2 + 4 + 8 + 16 + 32 + 64 + i % 128
kernel void k(global int* out) {
    local int stop, turn;
    const int l = get_local_id(0);
    if (l == 77) stop = 0, turn = 1;
    int sum = l;
    for (;;) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (stop) break;
        sum += turn;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l == turn) {
            if (turn == 64) stop = 1;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l == 3) turn *= 2;
    }
    out[get_global_id(0)] = sum;
}
//---- a_flag_that_each_wave_sets_after_it_has_looked
//: global 256
//: local 128
//: not host: barriers
//: arg out=i32[256]
//: expect out = i % 128 + 3 * 128
kernel void k(global int* out) {
    local int seen[128], count;
    const int l = get_local_id(0);
    seen[l] = 0;
    if (l == 0) count = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    int sum = l;
    for (int j = 0; j < 3; j++) {
        if (seen[l] == j) atomic_inc(&count);
        seen[l] = j + 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (count == 128 * (j + 1)) sum += 128;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = sum;
}
//---- a_loop_entered_in_the_middle_between_barriers
//: not host: barriers
//: global 16,16
//: local 16,8
//: arg in=i32[1]:fill(8)
//: arg out=i32[256]
//: expect out = 8 * 49
kernel void k(global const int* in, global int* out) {
    local int cells[2];
    int x = get_local_id(0), fuel = 40, n = 0, a = in[0];
    if (x < 2) cells[x] = -1;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int r = 2; r-- > 0;) {
        if (x % 5 == 1) goto middle;
        for (n = 0; n < 1 && fuel-- > 0; ++n) {
        middle:
            atomic_and(&cells[1], a);
            a = a * 7;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(1) * 16 + get_global_id(0)] = a;
}
//---- a_tree_of_groups_of_any_size
// With a size that is known when it runs, each step of the tree is code for the waves that take part.
//: not host: barriers
//: global 512
//: local 256
//: arg in=i32[512]:rand(3,-1000,1000)
//: arg out=i32[512]
//: arg sums=i32[2]
//: expect sums = sum(k, 0, 256, in[i * 256 + k])
//: expect out = i % 256 < 2 ? in[i] + in[i / 256 * 256 + 3] : in[i / 256 * 256 + 255 - i % 256]
kernel void k(global const int* in, global int* out, global int* sums) {
    local int t[256];
    const uint l = get_local_id(0), n = get_local_size(0);
    int own = in[get_global_id(0)];
    t[n - 1 - l] = own;
    barrier(CLK_LOCAL_MEM_FENCE);
    int mirrored = t[l];
    if (l < 2) mirrored = own + t[n - 4];
    out[get_global_id(0)] = mirrored;
    for (uint s = n / 2; s > 0; s >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < s) t[l] += t[l + s];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0) sums[get_group_id(0)] = t[0];
}
