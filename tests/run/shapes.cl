// Shapes of control flow as real kernels have them: loops with several exits, flattened loops, searches, state
// machines, split and merge; work-items of a wave go different ways and meet again.
//---- fixed_point_mandelbrot
//: global 56
//: arg out=i32[56]
//: expect out = {3, 3, 4, 5, 8, 20, 5, 4, 4, 5, 6, 20, 20, 20, 20, 9, 9, 20, 11, 20, 20, 20, 20, 20, 20, 20, 20, 20,
//:   20, 20, 20, 7, 9, 20, 11, 20, 20, 20, 20, 20, 4, 5, 6, 20, 20, 20, 20, 9, 3, 3, 4, 5, 8, 20, 5, 4}
kernel void k(global int* out) {
    int i = get_global_id(0), cx = i % 8 * 60 - 320, cy = i / 8 * 70 - 210, x = 0, y = 0, n = 0;
    while (n < 20) {
        int xx = (x * x) >> 8, yy = (y * y) >> 8;
        if (xx + yy > 1024) break;
        y = ((2 * x * y) >> 8) + cy;
        x = xx - yy + cx;
        n++;
    }
    out[i] = n;
}
//---- flattened_mandelbrot
//: global 7
//: arg out=i32[56]
//: expect out = {3, 3, 4, 5, 8, 20, 5, 4, 4, 5, 6, 20, 20, 20, 20, 9, 9, 20, 11, 20, 20, 20, 20, 20, 20, 20, 20, 20,
//:   20, 20, 20, 7, 9, 20, 11, 20, 20, 20, 20, 20, 4, 5, 6, 20, 20, 20, 20, 9, 3, 3, 4, 5, 8, 20, 5, 4}
kernel void k(global int* out) {
    int row = get_global_id(0), column = 0, x = 0, y = 0, n = 0;
    while (column != 8) {
        int xx = (x * x) >> 8, yy = (y * y) >> 8;
        if (n == 20 || xx + yy > 1024) {
            out[row * 8 + column] = n;
            if (++column == 8) return;
            x = y = n = 0;
            continue;
        }
        y = ((2 * x * y) >> 8) + row * 70 - 210;
        x = xx - yy + column * 60 - 320;
        n++;
    }
}
//---- binary_search
//: global 64
//: arg out=i32[64]
//: expect out = {-1, 0, -1, -1, -1, -1, 3, -1, -1, -1, -1, 6, -1, -1, -1, -1, 9, -1, -1, -1, -1, -1, 12, -1, -1, -1,
//:   -1, 15, -1, -1, -1, -1, 18, -1, -1, -1, -1, -1, 21, -1, -1, -1, -1, 24, -1, -1, -1, -1, 27, -1, -1, -1, -1, 30,
//:   -1, -1, -1, -1, -1, 33, -1, -1, -1, -1}
kernel void k(global int* out) {
    int i = get_global_id(0), wanted = i * 3, low = 0, high = 40, sorted[40];
    for (int j = 0; j < 40; j++) {
        int v = (j * 37 + 11) % 211, p = j;
        while (p > 0 && sorted[p - 1] > v) {
            sorted[p] = sorted[p - 1];
            p--;
        }
        sorted[p] = v;
    }
    out[i] = -1;
    while (low < high) {
        int middle = (low + high) / 2;
        if (sorted[middle] == wanted) {
            out[i] = middle;
            return;
        }
        if (sorted[middle] < wanted) low = middle + 1;
        else high = middle;
    }
}
//---- n_queens
//: global 7
//: arg out=i32[7]
//: expect out = {1, 0, 0, 2, 10, 4, 40}
kernel void k(global int* out) {
    int n = get_global_id(0) + 1, all = (1 << n) - 1, row = 0, count = 0;
    int columns[8], left[8], right[8], free[8];
    columns[0] = left[0] = right[0] = 0;
    free[0] = all;
    while (row >= 0) {
        if (!free[row]) {
            row--;
            continue;
        }
        int bit = free[row] & -free[row];
        free[row] ^= bit;
        if (row == n - 1) {
            count++;
            continue;
        }
        columns[row + 1] = columns[row] | bit;
        left[row + 1] = (left[row] | bit) << 1;
        right[row + 1] = (right[row] | bit) >> 1;
        row++;
        free[row] = all & ~(columns[row] | left[row] | right[row]);
    }
    out[n - 1] = count;
}
//---- two_branches_share_a_function
//: global 40
//: arg out=i32[40]
//: expect out = {8, 104, -1, 6, 104, -1, 8, 108, -1, 12, 107, -1, 10, 106, -1, 12, 107, -1, 10, 109, -1, 8, 108, -1,
//:   10, 109, -1, 12, 110, -1, 10, 107, -1, 12, 108, -1, 16, 109, -1, 14}
__attribute__((noinline)) int steps(int x) {
    int n = 0;
    while (x > 1) {
        if (x % 3 == 0) x /= 3;
        else if (x % 3 == 2) x++;
        else x--;
        n++;
    }
    return n;
}
kernel void k(global int* out) {
    int i = get_global_id(0);
    if (i % 3 == 0) out[i] = steps(i + 5) * 2;
    else if (i % 3 == 1) out[i] = steps(i * 7) + 100;
    else out[i] = -1;
}
//---- search_leaves_two_loops_by_goto
//: global 40
//: arg out=i32[40]
//: expect out = {4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29,
//:   30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43}
int letter(int i) { return (i * i * 7 + 3 * i) % 4; }
kernel void k(global int* out) {
    int s = get_global_id(0), p;
    for (p = s + 1; p < 56; p++) {
        for (int j = 0; j < 3; j++)
            if (letter(p + j) != letter(s + j)) goto next;
        goto found;
    next:;
    }
    p = -1;
found:
    out[s] = p;
}
//---- interpreter_of_a_small_machine
//: global 48
//: arg out=i32[48]
//: expect out = {625, 225, 225, 1225, 825, 2825, 1825, 1425, 825, 2425, 2025, 3025, 3025, 2625, 1425, 3625, 3225,
//:   2825, 4225, 3825, 2025, 4825, 4425, 6211, 5425, 5025, 2625, 6025, 5625, 1225, 6604, 6203, 3225, 7204, 6803,
//:   3025, 7804, 7403, 3825, 8404, 8003, 6025, 9004, 8603, 4425, 9604, 9203, 7808}
kernel void k(global int* out) {
    int i = get_global_id(0), code[10] = {0, 1, 2, 3, 1, 4, 2, 0, 3, 4};
    int acc = i, pc = i % 3, steps = 0;
    while (steps < 25) {
        steps++;
        switch (code[pc]) {
            case 0: acc += 3; pc++; break;
            case 1: acc = acc * 2 % 101; pc++; break;
            case 2: pc += acc % 2 ? 2 : 1; break;
            case 3:
                if (acc > 60) goto halt;
                pc = (pc + 5) % 10;
                continue;
            case 4: acc -= i % 4; pc -= 3; break;
        }
        if (pc >= 10) break;
    }
halt:
    out[i] = acc * 100 + steps;
}
//---- walk_with_three_ways_out
//: global 64
//: arg out=i32[64]
//: expect out = {1, 12, 22, 11, 42, 52, 21, 61, 12, 22, 11, 42, 52, 21, 1, 82, 22, 1, 42, 52, 11, 61, 82, 31, 32, 42,
//:   31, 62, 61, 41, 21, 1, 42, 21, 1, 72, 31, 92, 102, 51, 21, 62, 51, 82, 11, 61, 41, 21, 62, 51, 21, 1, 51, 111,
//:   11, 71, 51, 11, 81, 102, 31, 81, 61, 41}
int walk(int x, int y) {
    for (int n = 0;;) {
        if ((x * 5 + y * 3 + n) % 11 == 0) return n * 10 + 1;
        if (x == 0 && y == 0) return n * 10 + 2;
        if ((x + y) % 2 == 0 && x > 0) x--;
        else if (y > 0) y--;
        else x--;
        if (++n > 12) return n * 10 + 3;
    }
}
kernel void k(global int* out) {
    int i = get_global_id(0);
    out[i] = walk(i % 8, i / 8);
}
//---- photon_histories
//: global 50
//: arg out=i32[50]
//: expect out = {-4839, -3889, 11, -3919, 12120, 7301, 1011, 6101, 3101, 6141, 1031, -10820, 11070, 13100, 3031,
//:   -1989, 4121, 8161, 6021, 11, 4101, -909, -819, 2041, 3021, 5031, -889, 9081, 14090, 10031, 11040, 1041, 2041,
//:   -1979, -2929, 2071, 11, 12120, -959, -11920, -5969, -3979, 4011, -949, -8919, 3121, -5929, 15110, 1031, -5939}
uint next(uint* s) {
    *s ^= *s << 13;
    *s ^= *s >> 17;
    *s ^= *s << 5;
    return *s >> 24;
}
kernel void k(global int* out) {
    int i = get_global_id(0), x = 0, n = 0, absorbed = 0;
    uint s = i * 2654435761u + 12345;
    for (;;) {
        n++;
        x += (int)(next(&s) & 7) - 3;
        if (x < -10 || x > 10) break;
        uint r = next(&s);
        if (r < 100) continue;
        else if (r < 180) x = -x;
        else if (r < 230) x++;
        else {
            absorbed = 1;
            break;
        }
    }
    out[i] = x * 1000 + n * 10 + absorbed;
}
//---- throws_from_two_call_sites
//: global 64
//: arg out=i32[64]
//: not opencl: no exceptions there
//: expect out = {3238, 331, 1646, 3143, 2232, 1505, 4446, 2117, 2424, 4329, 4040, 2339, 606, 3903, 3238, 515, 822,
//:   3143, 1818, 721, 4040, 1731, 2634, 3903, 3030, 2525, 4848, 2947, 4446, 4721, 4242, 4329, 606, 4113, 1212, 515,
//:   424, 1123, 1426, 331, 3030, 1339, 1646, 2947, 2232, 1505, 4848, 2117, 2818, 4721, 3030, 2729, 1646, 2947, 4040,
//:   1505, 3842, 3903, 3404, 3711, 218, 3341, 4626, 103}
int f(int x) {
    int n = x;
    for (int j = 0; j < x % 6; j++) {
        n = n * 3 % 50;
        if (n == x % 7 + j) throw n * 10 + j;
    }
    return n;
}
kernel void k(global int* out) {
    int i = get_global_id(0), a, b;
    try {
        if (i % 2) a = f(i);
        else a = f(i + 3) + 1;
        b = f(a);
        out[i] = a * 100 + b;
    } catch (int code) {
        out[i] = -code;
    }
}
//---- rows_of_other_lengths
//: global 16
//: arg start=i32[17]:rand(1,0,4)
//: arg out=i32[16]
//: expect out = sum(k, 0, i % 4 + start[i], sum(q, k, start[i + 1] + k, k * 10 + q))
kernel void k(global const int* start, global int* out) {
    int i = get_global_id(0), sum = 0;
    for (int a = 0; a < i % 4 + start[i]; a++)
        for (int b = a; b < start[i + 1] + a; b++) sum += a * 10 + b;
    out[i] = sum;
}
//---- breadth_first_search_by_each_work_item
//: global 32
//: arg out=i32[32]
//: expect out = {532, 532, 432, 532, 432, 532, 532, 532, 532, 532, 532, 532, 532, 532, 532, 632, 432, 532, 532, 532,
//:   432, 432, 532, 532, 532, 532, 532, 532, 532, 432, 432, 632}
kernel void k(global int* out) {
    int source = get_global_id(0), depth[32], queue[32], head = 0, tail = 0, deepest = 0;
    for (int j = 0; j < 32; j++) depth[j] = -1;
    depth[source] = 0;
    queue[tail++] = source;
    while (head < tail) {
        int v = queue[head++];
        for (int e = 0; e < 3; e++) {
            int w = e == 0 ? (v * 2 + 1) % 32 : e == 1 ? (v * 3 + 2) % 32 : (v + 7) % 32;
            if (depth[w] >= 0) continue;
            depth[w] = depth[v] + 1;
            if (depth[w] > deepest) deepest = depth[w];
            queue[tail++] = w;
        }
    }
    out[source] = deepest * 100 + tail;
}
//---- heap_sort
//: global 6
//: arg out=i32[72]
//: expect out = {0, 4, 29, 31, 90, 101, 170, 172, 173, 218, 220, 229, 75, 84, 107, 126, 129, 189, 198, 223, 226, 246,
//:   251, 251, 19, 19, 24, 33, 78, 114, 140, 149, 215, 217, 237, 255, 47, 70, 72, 77, 83, 109, 120, 125, 142, 180,
//:   183, 195, 25, 47, 66, 69, 75, 102, 121, 127, 130, 144, 149, 251, 9, 29, 60, 104, 108, 115, 120, 133, 172, 184,
//:   209, 223}
void sift(int* heap, int at, int size) {
    while (2 * at + 1 < size) {
        int child = 2 * at + 1;
        if (child + 1 < size && heap[child + 1] > heap[child]) child++;
        if (heap[at] >= heap[child]) break;
        int t = heap[at];
        heap[at] = heap[child];
        heap[child] = t;
        at = child;
    }
}
kernel void k(global int* out) {
    int i = get_global_id(0), a[12];
    uint s = i;
    for (int j = 0; j < 12; j++) {
        s = (s * 1103515245 + 12345) & 0x7fffffff;
        a[j] = s >> 16 & 0xff;
    }
    for (int j = 5; j >= 0; j--) sift(a, j, 12);
    for (int size = 11; size > 0; size--) {
        int t = a[0];
        a[0] = a[size];
        a[size] = t;
        sift(a, 0, size);
    }
    for (int j = 0; j < 12; j++) out[i * 12 + j] = a[j];
}
//---- three_states_that_jump_into_each_other
//: global 60
//: arg out=i32[60]
//: expect out = {1002, 704, 703, 6008, 6008, 4911, 1017, 3003, 6007, 1015, 2001, 6005, 3503, 1008, 3002, 2102, 503,
//:   4908, 5507, 4911, 2101, 5505, 6005, 4903, 6012, 5001, 1007, 503, 3507, 6002, 3005, 3006, 502, 1502, 1011, 6007,
//:   1010, 1402, 4910, 6005, 5004, 4201, 4913, 2501, 6004, 6007, 1405, 3502, 4502, 2504, 4203, 3507, 2507, 3504,
//:   2008, 4941, 3506, 705, 5501, 5941}
kernel void k(global int* out) {
    int i = get_global_id(0), n = i, c = 0;
    if (i % 3 == 1) goto b;
    if (i % 3 == 2) goto c;
a:
    if (++c > 40) goto end;
    n += 5;
    if (n % 4 == 0) goto c;
b:
    if (++c > 40) goto end;
    n = n * 2 % 61;
    if (n % 5 == 0) goto end;
c:
    if (++c > 40) goto end;
    n++;
    if (n % 7 == 0) goto end;
    if (n % 3) goto a;
    goto b;
end:
    out[i] = n * 100 + c;
}
//---- a_boolean_of_the_round_before
//: global 16
//: arg out=u32[80]
//: arg n=9
//: expect out = {245, 255, 266, 178, 291, 205, 220, 336, 145, 155, 266, 178, 191, 205, 320, 336, 0, 0, 0, 0, 0, 0,
//:   0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
//:   0, 0, 0, 0, 0, 0, 0, 20, 20, 22, 20, 22, 24, 45, 11, 27, 20, 24, 15, 57, 43, 36}
kernel void k(global uint* out, uint n) {
    uint g = get_global_id(0), x = g * 2654435761u, i = 0;
    bool prev = false;
    while (true) {
        bool cur = (x >> (i & 31)) & 1;
        out[g] += i;
        if (i >= n + (g & 7)) break;
        if (cur) out[g + 64] += prev ? 7 : 2;
        prev = cur;
        i++;
    }
    out[g] += prev ? 100 : 200;
}
//---- uniform_counter_behind_a_side_that_falls_through
//: global 8
//: arg in=u32[64]:iota
//: arg out=u32[8]
//: arg n=20
//: expect out = i % 2 ? 181835 : 8
kernel void k(global const uint* in, global uint* out, uint n) {
    uint g = get_global_id(0), i = 0;
    while (i < n) {
        switch (in[i] & 3) {
        case 2: out[g] ^= i; i += 2; continue;
        default: if (g & 1) out[g] = out[g] * 3 + i;  // fall through
        case 3: out[g] += 5; i++;
        }
    }
}
//---- tiles_of_a_grid
//: global 24,16
//: offset 8,3
//: arg out=i32[384]
//: expect out = min(i % 24, i / 24) * (min(i % 24, i / 24) + 1) / 2 + max(i % 24 - i / 24, 0) * (i / 24)
kernel void k(global int* out) {
    int x = get_global_id(0) - get_global_offset(0), y = get_global_id(1) - get_global_offset(1), n = 0;
    for (int a = 0; a < x; a++)
        for (int b = 0; b < y; b++) {
            if (a + b >= x) break;
            n++;
        }
    out[y * 24 + x] = n;
}
//---- tiles_do_not_fill_the_grid
//: global 20,9
//: arg out=i32[180]
//: expect out = min(i % 20, i / 20) * (min(i % 20, i / 20) + 1) / 2 + max(i % 20 - i / 20, 0) * (i / 20)
kernel void k(global int* out) {
    int x = get_global_id(0), y = get_global_id(1), n = 0;
    for (int a = 0; a < x; a++)
        for (int b = 0; b < y; b++) {
            if (a + b >= x) break;
            n++;
        }
    out[y * 20 + x] = n;
}
//---- tiles_that_trap
//: global 16,16
//: arg out=i32[256]
//: trap throw int 9 at 8,5 count 88
//: expect out = i % 16 >= 8 && i / 16 >= 5 ? 0 : i % 16 * (i / 16)
kernel void k(global int* out) {
    int x = get_global_id(0), y = get_global_id(1), n = 0;
    for (int a = 0; a < x; a++)
        for (int b = 0; b < y; b++) {
            if (a == 7 && b == 4) throw 9;  // trap here
            if (b > x + 20) break;
            n++;
        }
    out[y * 16 + x] = n;
}
//---- descending
//: global 192
//: arg u8=u8[300]:rand(1)
//: arg u8_out=u8[300]
//: arg u8_back=u8[300]
//: arg i16=i16[300]:rand(1)
//: arg i16_out=i16[300]
//: arg i16_back=i16[300]
//: arg i32=i32[300]:rand(1)
//: arg i32_out=i32[300]
//: arg i32_back=i32[300]
//: arg f32=f32[300]:rand(1,-50,50)
//: arg f32_out=f32[300]
//: arg f32_back=f32[300]
//: arg f64=f64[300]:rand(1,-50,50)
//: arg f64_out=f64[300]
//: arg f64_back=f64[300]
//: arg i64=i64[300]:rand(1)
//: arg i64_out=i64[300]
//: arg i64_back=i64[300]
//: arg n=300
//: expect u8_out[0:192] = u8[299 - i]
//: expect u8_back[0:77] = u8[81 - i]
//: expect u8_back[108:300] = u8[299 - i] > 20 ? u8(u8[i] + u8[i - 108]) : 0
//: expect i16_out[0:192] = i16[299 - i]
//: expect i16_back[0:77] = i16[81 - i]
//: expect i16_back[108:300] = i16[299 - i] > 20 ? i16(i16[i] + i16[i - 108]) : 0
//: expect i32_out[0:192] = i32[299 - i]
//: expect i32_back[0:77] = i32[81 - i]
//: expect i32_back[108:300] = i32[299 - i] > 20 ? i32(i32[i] + i32[i - 108]) : 0
//: expect f32_out[0:192] = f32[299 - i]
//: expect f32_back[0:77] = f32[81 - i]
//: expect f32_back[108:300] = f32[299 - i] > 20 ? f32(f32[i] + f32[i - 108]) : 0
//: expect f64_out[0:192] = f64[299 - i]
//: expect f64_back[0:77] = f64[81 - i]
//: expect f64_back[108:300] = f64[299 - i] > 20 ? (f64[i] + f64[i - 108]) : 0
//: expect i64_out[0:192] = i64[299 - i]
//: expect i64_back[0:77] = i64[81 - i]
//: expect i64_back[108:300] = i64[299 - i] > 20 ? (i64[i] + i64[i - 108]) : 0
// All lanes, some of them, and a run that the border cuts.
#define DESCENDING(T, name) \
    { \
        T x = name[n - 1 - i]; \
        name##_out[i] = x; \
        if (name[i] > (T)20) name##_back[n - 1 - i] = x + name[191 - i]; \
        if (i < 77) name##_back[76 - i] = name[i + 5]; \
    }
kernel void k(global const uchar* u8, global uchar* u8_out, global uchar* u8_back,
              global const short* i16, global short* i16_out, global short* i16_back,
              global const int* i32, global int* i32_out, global int* i32_back,
              global const float* f32, global float* f32_out, global float* f32_back,
              global const double* f64, global double* f64_out, global double* f64_back,
              global const long* i64, global long* i64_out, global long* i64_back,
              int n) {
    int i = get_global_id(0);
    DESCENDING(uchar, u8)
    DESCENDING(short, i16)
    DESCENDING(int, i32)
    DESCENDING(float, f32)
    DESCENDING(double, f64)
    DESCENDING(long, i64)
}
//---- narrow_grid
//: global 3,20
//: arg a=i32[60]:iota
//: arg out=i32[60]
//: expect out = i * 3 + 1 - (i % 3) * (i / 3)
kernel void k(global const int* a, global int* out) {
    int x = get_global_id(0), y = get_global_id(1), at = y * 3 + x;
    out[at] = a[at] * 3 + 1 - x * y;
}
//---- narrow_grid_with_loops
//: global 1,30
//: arg out=i32[30]
//: expect out = i * (i + 1) / 2
kernel void k(global int* out) {
    int y = get_global_id(1), sum = 0;
    for (int n = 0; n <= y; n++) sum += n;
    out[y + get_global_id(0)] = sum;
}
//---- lines_along_y
//: global 20,32
//: local 1,16
//: arg a=i32[640]:iota
//: arg out=i32[640]
//: expect out = i + i % 20 - i / 20
kernel void k(global const int* a, global int* out) {
    int x = get_global_id(0), y = get_global_id(1);
    out[y * 20 + x] = a[y * 20 + x] + x - y;
}
