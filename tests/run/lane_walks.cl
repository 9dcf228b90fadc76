//---- until_a_length_of_its_own
//: global 37
//: arg t=u8[2048]:rand(1)
//: arg n=i32[37]:rand(2,0,41)
//: arg out=i32[37]
//: expect out = 0
#define AT(k) (((global const uint*)t)[(k) >> 2] >> ((k) & 3) * 8 & 255)
kernel void k(global const uchar* t, global const int* n, global int* out) {
    int i = get_global_id(0);
    uint h = 2166136261u, want = h;
    for (int j = i * 50; j < i * 50 + n[i]; j++) { h ^= t[j]; h *= 16777619u; }
    for (int j = i * 50; j < i * 50 + n[i]; j++) { want ^= AT(j); want *= 16777619u; }
    out[i] = h - want;
}
//---- of_all_lengths
//: global 37
//: arg t=u8[2048]:rand(1)
//: arg out=i32[888]
//: expect out = 0
#define AT(k) (((global const uint*)t)[(k) >> 2] >> ((k) & 3) * 8 & 255)
kernel void k(global const uchar* t, global int* out) {
    int i = get_global_id(0);
    for (int n = 0; n < 24; n++) {
        uint h = 1, want = 1;
        for (int j = 0; j < n; j++) h = h * 31 + t[i * 50 + j];
        for (int j = 0; j < n; j++) want = want * 31 + AT(i * 50 + j);
        out[i * 24 + n] = h - want;
    }
}
//---- down
//: global 37
//: arg t=u8[2048]:rand(1)
//: arg out=i32[888]
//: expect out = 0
#define AT(k) (((global const uint*)t)[(k) >> 2] >> ((k) & 3) * 8 & 255)
kernel void k(global const uchar* t, global int* out) {
    int i = get_global_id(0);
    for (int n = 0; n < 24; n++) {
        uint h = 1, want = 1;
        for (int j = n - 1; j >= 0; j--) h = h * 31 + t[i * 50 + j];
        for (int j = n - 1; j >= 0; j--) want = want * 31 + AT(i * 50 + j);
        out[i * 24 + n] = h - want;
    }
}
//---- up_to_and_with
//: global 37
//: arg t=u8[2048]:rand(1)
//: arg out=i32[888]
//: expect out = 0
#define AT(k) (((global const uint*)t)[(k) >> 2] >> ((k) & 3) * 8 & 255)
kernel void k(global const uchar* t, global int* out) {
    int i = get_global_id(0);
    for (int n = 0; n < 24; n++) {
        uint h = 1, want = 1;
        for (int j = 0; j <= n - 1 + i % 3; j++) h = h * 31 + t[i * 50 + j];
        for (int j = 0; j <= n - 1 + i % 3; j++) want = want * 31 + AT(i * 50 + j);
        out[i * 24 + n] = h - want;
    }
}
//---- pointers_until_they_meet
//: global 37
//: arg t=u8[2048]:rand(1)
//: arg out=i32[888]
//: expect out = 0
#define AT(k) (((global const uint*)t)[(k) >> 2] >> ((k) & 3) * 8 & 255)
kernel void k(global const uchar* t, global int* out) {
    int i = get_global_id(0);
    for (int n = 0; n < 24; n++) {
        uint h = 1, want = 1;
        for (global const uchar *p = t + i * 50, *end = p + n; p != end; p++) h = h * 31 + *p;
        for (int j = 0; j < n; j++) want = want * 31 + AT(i * 50 + j);
        out[i * 24 + n] = h - want;
    }
}
//---- pointers_below_the_end
//: global 37
//: arg t=u8[2048]:rand(1)
//: arg out=i32[888]
//: expect out = 0
#define AT(k) (((global const uint*)t)[(k) >> 2] >> ((k) & 3) * 8 & 255)
kernel void k(global const uchar* t, global int* out) {
    int i = get_global_id(0);
    for (int n = 0; n < 24; n++) {
        uint h = 1, want = 1;
        for (global const uchar *p = t + i * 50, *end = p + n + i % 2; p < end;) h = h * 31 + *p++;
        for (int j = 0; j < n + i % 2; j++) want = want * 31 + AT(i * 50 + j);
        out[i * 24 + n] = h - want;
    }
}
//---- a_length_that_is_used_up
//: global 37
//: arg t=u8[2048]:rand(1)
//: arg out=i32[888]
//: expect out = 0
#define AT(k) (((global const uint*)t)[(k) >> 2] >> ((k) & 3) * 8 & 255)
kernel void k(global const uchar* t, global int* out) {
    int i = get_global_id(0);
    for (int n = 0; n < 24; n++) {
        uint h = 1, want = 1;
        global const uchar* p = t + (long)i * 50;
        int left = n;
        while (left--) h = h * 31 + *p++;
        for (int j = 0; j < n; j++) want = want * 31 + AT(i * 50 + j);
        out[i * 24 + n] = h - want + left + 1;
    }
}
//---- at_least_once
//: global 37
//: arg t=u8[2048]:rand(1)
//: arg out=i32[888]
//: expect out = 0
#define AT(k) (((global const uint*)t)[(k) >> 2] >> ((k) & 3) * 8 & 255)
kernel void k(global const uchar* t, global int* out) {
    int i = get_global_id(0);
    for (int n = 0; n < 24; n++) {
        uint h = 1, want = 1;
        int j = 0;
        do h = h * 31 + t[i * 50 + j]; while (++j < n);
        for (int m = 0; m < max(n, 1); m++) want = want * 31 + AT(i * 50 + m);
        out[i * 24 + n] = h - want + j - max(n, 1);
    }
}
//---- several_bytes_a_step
//: global 37
//: arg t=u8[2048]:rand(1)
//: arg out=i32[888]
//: expect out = 0
#define AT(k) (((global const uint*)t)[(k) >> 2] >> ((k) & 3) * 8 & 255)
kernel void k(global const uchar* t, global int* out) {
    int i = get_global_id(0);
    for (int n = 0; n < 24; n++) {
        uint h = 1, want = 1;
        for (int j = 0; j < n; j += 3) h = h * 31 + t[i * 50 + j] + 5 * t[i * 50 + j + 1] + 7 * t[i * 50 + j + 2];
        for (int j = 0; j < n; j += 2) h = h * 31 + t[i * 50 + j + 1];
        for (int j = 0; j < n; j += 3) want = want * 31 + AT(i * 50 + j) + 5 * AT(i * 50 + j + 1) + 7 * AT(i * 50 + j + 2);
        for (int j = 0; j < n; j += 2) want = want * 31 + AT(i * 50 + j + 1);
        out[i * 24 + n] = h - want;
    }
}
//---- shorts
//: global 37
//: arg t=i16[2048]:rand(1)
//: arg out=i32[888]
//: expect out = 0
#define AT(k) (((global const uint*)t)[(k) >> 1] >> ((k) & 1) * 16 & 65535)
kernel void k(global const short* t, global int* out) {
    int i = get_global_id(0);
    for (uint n = 0; n < 24; n++) {
        uint h = 1, want = 1;
        for (ulong j = 0; j < n; j++) h = h * 31 + t[i * 50ul + j];
        for (uint j = 0; j < n; j++) want = want * 31 + (short)AT(i * 50 + j);
        out[i * 24 + n] = h - want;
    }
}
//---- two_rows
//: global 37
//: arg t=u8[2048]:rand(1)
//: arg m=i8[2048]:rand(2)
//: arg out=i32[888]
//: expect out = 0
#define AT(k) (((global const uint*)t)[(k) >> 2] >> ((k) & 3) * 8 & 255)
#define MT(k) (char)(((global const uint*)m)[(k) >> 2] >> ((k) & 3) * 8 & 255)
kernel void k(global const uchar* t, global const char* m, global int* out) {
    int i = get_global_id(0);
    for (int n = 0; n < 24; n++) {
        int h = 1, want = 1;
        for (int j = 0; j < n; j++) h = h * 3 + t[i * 50 + j] * m[i * 31 + j];
        for (int j = 0; j < n; j++) want = want * 3 + AT(i * 50 + j) * MT(i * 31 + j);
        out[i * 24 + n] = h - want;
    }
}
//---- an_index_that_wraps_behind_a_guard
//: global 37
//: arg t=u8[2048]:rand(1)
//: arg out=i32[37]
//: expect out = 0
#define AT(k) (((global const uint*)t)[(k) >> 2] >> ((k) & 3) * 8 & 255)
kernel void k(global const uchar* t, global int* out) {
    uint i = get_global_id(0), n = 40 + i % 5, h = 1, want = 1;
    for (uint j = i % 3 - 2; j != n + 2; j++)
        if (j < n) h = h * 31 + t[i * 50 + j];
    for (uint j = 0; j < n; j++) want = want * 31 + AT(i * 50 + j);
    out[i] = h - want;
}
//---- bounds_at_the_ends_of_numbers
//: global 37
//: arg t=u8[2048]:rand(1)
//: arg least=-2147483648
//: arg out=i32[37]
//: expect out = 0
#define AT(k) (((global const uint*)t)[(k) >> 2] >> ((k) & 3) * 8 & 255)
kernel void k(global const uchar* t, int least, global int* out) {
    int i = get_global_id(0), most = ~least;
    uint h = 1, want = 1, largest = 0xffffffffu;
    for (int j = 0; j < least; j++) h = h * 31 + t[i * 50 + j];
    for (int j = i; j <= least; j++) h = h * 31 + t[i * 50 + j];
    for (int j = most - 20 - i % 7; j < most; j++) h = h * 31 + t[i * 50 + (j - (most - 40))];
    for (uint j = largest - 20 - i % 7; j < largest; j++) h = h * 31 + t[i * 50 + (j - (largest - 40))];
    for (int j = most; j < least + i % 3; j++) h = h * 31 + t[i * 50 + j];
    for (int twice = 0; twice < 2; twice++)
        for (int j = 20 - i % 7; j < 40; j++) want = want * 31 + AT(i * 50 + j);
    out[i] = h - want;
}
//---- a_small_counter
//: global 37
//: arg t=u8[16384]:rand(1)
//: arg out=i32[37]
//: expect out = 0
#define AT(k) (((global const uint*)t)[(k) >> 2] >> ((k) & 3) * 8 & 255)
kernel void k(global const uchar* t, global int* out) {
    int i = get_global_id(0);
    uint h = 1, want = 1;
    for (uchar j = i; j != (uchar)(i * 3 - 1); j++) h = h * 31 + t[i * 300 + j];
    for (uchar j = i; j != (uchar)(i * 3 - 1); j++) want = want * 31 + AT(i * 300 + j);
    out[i] = h - want;
}
//---- what_is_left_behind
//: global 37
//: arg t=u8[2048]:rand(1)
//: arg out=i32[888]
//: expect out = 0
#define AT(k) (((global const uint*)t)[(k) >> 2] >> ((k) & 3) * 8 & 255)
kernel void k(global const uchar* t, global int* out) {
    int i = get_global_id(0);
    for (int n = 0; n < 24; n++) {
        int j = 0, last = -1, sum = 0;
        for (; j < n - i % 4; j++) sum += last ^ i, last = t[i * 50 + j];
        int want = -1, wanted = 0;
        for (int m = 0; m < n - i % 4; m++) wanted += want ^ i, want = AT(i * 50 + m);
        out[i * 24 + n] = (last != want) + (sum != wanted) + (j != max(n - i % 4, 0));
    }
}
//---- branches_between_bytes
//: global 37
//: arg t=u8[2048]:rand(1)
//: arg seen=i32[37]
//: arg out=i32[37]
//: expect out = 0
//: expect seen = 1
#define AT(k) (((global const uint*)t)[(k) >> 2] >> ((k) & 3) * 8 & 255)
int step(int state, int c) {
    switch (state) {
        case 0: return c < 100 ? 1 : c < 130 ? 2 : 0;
        case 1: return c > 200 ? 0 : c % 3;
        default: return c / 100;
    }
}
kernel void k(global const uchar* t, global int* seen, global int* out) {
    int i = get_global_id(0), state = 0, words = 0, want = 0, wanted = 0;
    for (int j = 0; j < 30 + i % 9; j++) {
        int c = t[i * 50 + j];
        if (c < 30) {
            words += state == 2 ? 5 : 1;
            for (int b = c; b != 0; b &= b - 1) words += 3;
        } else if (c > 250) {
            continue;
        }
        state = step(state, c);
        words = words * 3 + state;
    }
    for (int j = 0; j < 30 + i % 9; j++) {
        int c = AT(i * 50 + j);
        if (c < 30) wanted += (want == 2 ? 5 : 1) + 3 * popcount(c);
        if (c > 250) continue;
        want = step(want, c);
        wanted = wanted * 3 + want;
    }
    seen[i] = 1;
    out[i] = words - wanted;
}
//---- one_block_and_branches
//: global 37
//: arg t=u8[2048]:rand(1)
//: arg out=i32[37]
//: expect out = 0
#define AT(k) (((global const uint*)t)[(k) >> 2] >> ((k) & 3) * 8 & 255)
kernel void k(global const uchar* t, global int* out) {
    int i = get_global_id(0), h = 1, want = 1;
    for (int j = 0; j < 30 + i % 9; j++) {
        int c = t[i * 50 + j];
        if (c & 1) h = (h ^ c) * 77 / (c + 1) % 1001;
        else h = h * 31 / (c + 3) + (h << c % 7) % 503;
    }
    for (int j = 0; j < 30 + i % 9; j++) {
        int c = AT(i * 50 + j);
        if (c & 1) want = (want ^ c) * 77 / (c + 1) % 1001;
        else want = want * 31 / (c + 3) + (want << c % 7) % 503;
    }
    out[i] = h - want;
}
//---- what_it_stores_it_reads
//: global 37
//: arg t=u8[2072]:fill(1)
//: expect t = i < 2035 && i % 55 < 40 + i / 55 % 5 ? 1 + i % 55 : 1
kernel void k(global uchar* t) {
    int i = get_global_id(0), n = 40 + i % 5;
    for (int j = 1; j < n; j++) t[i * 55 + j] += t[i * 55 + j - 1];
}
//---- stores_elsewhere
//: global 37
//: arg t=u8[2048]:fill(1)
//: arg to=u8[2048]
//: expect to = i < 1850 && i % 50 < 40 + i / 50 % 5 ? 1 + i % 50 : 0
kernel void k(global const uchar* restrict t, global uchar* restrict to) {
    int i = get_global_id(0), n = 40 + i % 5, sum = 0;
    for (int j = 0; j < n; j++) sum += t[i * 50 + j], to[i * 50 + j] = sum;
}
//---- in_local_memory
//: not host: barriers
//: global 64
//: local 16
//: arg t=u8[1024]:rand(1)
//: arg out=i32[64]
//: expect out = 0
#define AT(k) (((global const uint*)t)[(k) >> 2] >> ((k) & 3) * 8 & 255)
kernel void k(global const uchar* t, global int* out) {
    local uchar own[320];
    int i = get_global_id(0), l = get_local_id(0);
    uint h = 1, want = 1;
    for (int j = 0; j < 16; j++) own[j * 20 + l] = t[(get_group_id(0) * 16 + j) * 16 + l];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 0; j < l; j++) h = h * 31 + own[l * 20 + j];
    for (int j = 0; j < l; j++) want = want * 31 + AT(i * 16 + j);
    out[i] = h - want;
}
//---- atomics_between
//: global 37
//: arg t=u8[2048]:fill(3)
//: arg out=i32[8]
//: expect out = {0, 0, 0, 1221, 0, 0, 0, 0}
kernel void k(global const uchar* t, global int* out) {
    int i = get_global_id(0);
    for (int j = 0; j < 33; j++) atomic_inc(&out[t[i * 50 + j]]);
}
//---- until_a_byte_is_found
//: global 37
//: arg t=u8[2048]:iota
//: arg out=i32[37]
//: expect out = (200 - i * 55 % 256 + 256) % 256 < 50 ? (200 - i * 55 % 256 + 256) % 256 : -1
kernel void k(global const uchar* t, global int* out) {
    int i = get_global_id(0), found = -1;
    for (int j = 0; j < 50; j++)
        if (t[i * 55 + j] == 200) {
            found = j;
            break;
        }
    out[i] = found;
}
//---- a_bound_from_another_loop
//: global 37
//: arg t=u8[2048]:rand(1)
//: arg n=24
//: arg out=i32[37]
//: expect out = 0
#define AT(k) (((global const uint*)t)[(k) >> 2] >> ((k) & 3) * 8 & 255)
kernel void k(global const uchar* t, int n, global int* out) {
    int i = get_global_id(0), bound = 0, h = 0, wanted = 0, want = 0, j = 0, m = 0;
    do bound += t[i * 50 + j] & 1; while (++j < n);
    do h = h * 31 + t[i * 50 + m]; while (++m < bound);
    for (j = 0; j < n; j++) wanted += AT(i * 50 + j) & 1;
    for (j = 0; j < max(wanted, 1); j++) want = want * 31 + AT(i * 50 + j);
    out[i] = h - want;
}
//---- two_walks_in_a_loop
//: global 37
//: arg t=u8[2048]:rand(1)
//: arg out=i32[37]
//: expect out = 0
#define AT(k) (((global const uint*)t)[(k) >> 2] >> ((k) & 3) * 8 & 255)
kernel void k(global const uchar* t, global int* out) {
    int i = get_global_id(0), h = 0, want = 0, n = 20, m = 20;
    for (int twice = 0; twice < 5; twice++) {
        int sum = 0;
        for (int j = 0; j < n; j++) sum += t[i * 50 + j];
        for (int j = 0; j < sum % 30; j++) h = h * 31 + t[i * 50 + j];
        n = sum % 40;
        sum = 0;
        for (int j = 0; j < m; j++) sum += AT(i * 50 + j);
        for (int j = 0; j < sum % 30; j++) want = want * 31 + AT(i * 50 + j);
        m = sum % 40;
    }
    out[i] = h - want;
}
//---- long_steps_of_short_counters
//: not host: vectors
//: global 64
//: arg t=u8[4096]:rand(1)
//: arg n=u8[64]:rand(2,0,210)
//: arg out=i32[64]
//: expect out = 0
#define AT(k) (((global const uint*)t)[(k) >> 2] >> ((k) & 3) * 8 & 255)
kernel void k(global const uchar* t, global const uchar* n, global int* out) {
    int i = get_global_id(0);
    uint h = 1, want = 1;
    uchar2 end = n[i], j = 0;
    global const uchar* p = t + i * 50;
    for (int q = 0; (j < end).x; q++) { h = h * 31 + *p++; j += (uchar2)40; }
    for (int q = 0; q * 40 < n[i]; q++) want = want * 31 + AT(i * 50 + q);
    out[i] = h - want;
}
