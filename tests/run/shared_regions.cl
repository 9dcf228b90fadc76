// Shared regions: one copy of a function's blocks, which all its calls enter.
//---- three_calls
//: global 20
//: arg out=i32[20]
//: expect out = (i * 3 + 1) + ((i + 1) * 3 + 1) * 3 + 1
__attribute__((shared_region)) int step(int x) { return x * 3 + 1; }
kernel void k(global int* out) {
    int i = get_global_id(0);
    out[i] = step(i) + step(step(i + 1));
}
//---- declared_so_before_it_is_defined
//: global 8
//: arg out=i32[8]
//: expect out = i * i - 1
__attribute__((shared_region)) int square(int x);
int square(int x) { return x * x; }
kernel void k(global int* out) {
    int i = get_global_id(0);
    out[i] = square(i) - square(1);
}
//---- work_items_call_from_different_places
//: global 48
//: arg out=i32[48]
//: expect out = i % 3 == 0 ? i * 2 + 1 : i % 3 == 1 ? -(i * 2 - 1) : i < 24 ? 5 : 6
__attribute__((shared_region)) int twice_and(int x, int y) {
    int sum = x;
    for (int k = 0; k < x; k++) sum++;
    return sum + y;
}
kernel void k(global int* out) {
    int i = get_global_id(0), r;
    if (i % 3 == 0)
        r = twice_and(i, 1);
    else if (i % 3 == 1)
        r = -twice_and(i, -1);
    else
        r = i < 24 ? 5 : 6;
    out[i] = r;
}
//---- in_loops_that_work_items_leave_one_by_one
//: global 33
//: arg out=i32[33]
//: expect out = sum(j, 0, i % 9, j % 2 ? j * j : -j) + sum(j, 0, i % 4, (j + 2) % 2 ? (j + 2) * (j + 2) : -(j + 2))
__attribute__((shared_region)) int term(int j) {
    if (j % 2) return j * j;
    return -j;
}
kernel void k(global int* out) {
    int i = get_global_id(0), sum = 0;
    for (int j = 0; j < i % 9; j++) sum += term(j);
    for (int j = 0; j < i % 4; j++) sum += term(j + 2);
    out[i] = sum;
}
//---- arguments_that_call_it
//: global 16
//: arg out=i32[16]
//: expect out = ((i * 10 + 1) * 10 + (2 * 10 + i)) * 10 + (3 * 10 + 4)
__attribute__((shared_region)) int digits(int high, int low) { return high * 10 + low; }
kernel void k(global int* out) {
    int i = get_global_id(0);
    out[i] = digits(digits(digits(i, 1), digits(2, i)), digits(3, 4));
}
//---- structs_as_arguments_and_results
//: global 16
//: arg out=i32[16]
//: expect out = (i + 1) * 100 + (i + 2) * 10 + i + 3 + 1000 * (i + 5)
struct pair {
    int a, b;
};
__attribute__((shared_region)) struct pair make(struct pair by, int a) {
    struct pair p;
    p.a = a + by.a;
    p.b = a + by.b;
    by.a = 99;
    return p;
}
kernel void k(global int* out) {
    int i = get_global_id(0);
    struct pair one = {1, 2};
    struct pair p = make(one, i);                                           // i + 1, i + 2
    struct pair q = make(make(one, i + 2), make(one, make(one, 0).b).a - 3); // i + 3, i + 4
    struct pair two[2];
    two[0] = make(q, 0);
    two[1] = make(q, 1);
    out[i] = p.a * 100 + p.b * 10 + two[0].a + 1000 * two[1].b;
}
//---- arrays_begin_anew_at_each_call
//: global 12
//: arg out=i32[12]
//: expect out = (i % 4 + 7) * 100 + (i % 4 + 1) % 4 + 7
__attribute__((shared_region)) int touch(int at, int by) {
    int a[4] = {0, 1, 2, 3};
    int unset;
    for (int j = 0; j <= at; j++) a[j] += by;
    unset += a[at];
    return unset;
}
kernel void k(global int* out) {
    int i = get_global_id(0);
    int first = touch(i % 4, 7);
    out[i] = first * 100 + touch((i + 1) % 4, 7);
}
//---- regions_that_call_regions
//: global 40
//: arg out=i32[40]
//: expect out = i % 5 == 0 ? (i + 1) * (i + 1) + (i + 2) * (i + 2) : (i + 1) * (i + 1)
__attribute__((shared_region)) int inc(int x) { return x + 1; }
__attribute__((shared_region)) int squared_successor(int x) { return inc(x) * inc(x); }
kernel void k(global int* out) {
    int i = get_global_id(0);
    int r = squared_successor(i);
    if (i % 5 == 0) r += squared_successor(inc(i));
    out[i] = r;
}
//---- results_in_memory_of_the_caller
//: global 10
//: arg out=i32[10]
//: expect out = i * 2 + i * i
__attribute__((shared_region)) void add(int* to, int what) {
    if (what == 0) return;
    *to += what;
}
kernel void k(global int* out) {
    int i = get_global_id(0), sum = 0, other = i;
    add(&sum, i);
    add(&other, i * i);
    out[i] = sum + other;
}
//---- jumps_inside
//: global 32
//: arg out=i32[32]
//: expect out = (i % 8) * 2 + (i % 5 == 0 ? 10 : i % 5 == 1 ? 11 : 12)
__attribute__((shared_region)) int machine(int n, int what) {
    int sum = 0;
    switch (what) {
        case 0: goto loop;
        case 1: sum = 1; break;
        default: return 2;
    }
    return sum;
again:
    sum++;
loop:
    if (n-- > 0) goto again;
    return sum;
}
kernel void k(global int* out) {
    int i = get_global_id(0);
    int r = machine(i % 8, 0) + machine(i % 8, 0);
    if (i % 5 < 2)
        r += 10 + machine(0, i % 5);
    else
        r += 10 + machine(0, i);
    out[i] = r;
}
//---- each_call_has_its_own_handlers
//: global 30
//: arg out=i32[30]
//: expect out = i % 3 == 0 ? 1000 + i : i % 3 == 1 ? 2000 + i : i % 2 ? 3000 + i : i * 2
__attribute__((shared_region)) int check(int x, int bad) {
    if (bad) throw x;
    return x;
}
kernel void k(global int* out) {
    int i = get_global_id(0);
    try {
        try {
            out[i] = check(i, i % 3 == 0);
        } catch (int e) {
            out[i] = 1000 + e;
            return;
        }
        out[i] = check(i, i % 3 == 1);
        try {
            out[i] += check(i, i % 2);
        } catch (int e) {
            out[i] = 3000 + e;
        }
    } catch (int e) {
        out[i] = 2000 + e;
    }
}
//---- types_find_their_handlers_through_two_regions
//: global 40
//: arg out=i32[40]
//: expect out = i % 4 == 0 ? 10 : i % 4 == 1 ? 20 + i : i % 4 == 2 ? 30 + i : i
struct why {
    int code, more;
};
__attribute__((shared_region)) int inner(int x) {
    if (x % 4 == 0) throw 1.5f;
    struct why w = {x, 1};
    if (x % 4 == 1) throw w;
    if (x % 4 == 2) throw x;
    return x;
}
__attribute__((shared_region)) int outer(int x) {
    try {
        return inner(x);
    } catch (float f) {
        return 10;
    }
}
int work(int x) {
    try {
        return x < 20 ? outer(x) : outer(x + 0);
    } catch (struct why w) {
        return 20 + w.code * w.more;
    } catch (int e) {
        return 30 + e;
    }
}
kernel void k(global int* out) {
    int i = get_global_id(0);
    out[i] = work(i);
}
//---- thrown_again_inside
//: global 24
//: arg out=i32[24]
//: expect out = i % 3 == 0 ? i + 1 : i % 3 == 1 ? -(i + 2) : i
__attribute__((shared_region)) int pass(int x, int add) {
    try {
        if (x % 3 == 0) throw x + add;
        if (x % 3 == 1) throw (long)(x + add);
    } catch (...) {
        throw;
    }
    return x;
}
kernel void k(global int* out) {
    int i = get_global_id(0);
    try {
        out[i] = i % 2 ? pass(i, i % 3 == 0 ? 1 : 2) : pass(i, i % 3 + 1);
    } catch (int e) {
        out[i] = e;
    } catch (long e) {
        out[i] = -e;
    }
}
//---- uncaught
//: global 32
//: arg out=i32[32]
//: trap throw int 105 at 5 count 4
//: expect out = i % 8 == 5 ? 0 : i % 8 == 6 ? -1 : i
__attribute__((shared_region)) int strict(int x, int bad) {
    if (x % 8 == bad) throw 100 + x;  // trap here
    return x;
}
kernel void k(global int* out) {
    int i = get_global_id(0);
    try {
        strict(i, 6);
    } catch (int e) {
        out[i] = -1;
        return;
    }
    out[i] = strict(i, 5);
}
//---- kernels_with_barriers
//: global 16
//: local 8
//: arg out=i32[16]
//: not host: barriers
//: expect out = (7 - i % 8) * 3 + 1 + (i % 2 ? i * 3 + 1 : 0)
__attribute__((shared_region)) int step(int x) { return x * 3 + 1; }
int both(int x, int y) { return step(x) + (y ? step(y) : 0); }
void meet(void) { barrier(CLK_LOCAL_MEM_FENCE); }
kernel void k(global int* out) {
    local int tile[8];
    int i = get_global_id(0), l = get_local_id(0);
    tile[l] = step(l);
    meet();
    int r = i % 2 ? tile[7 - l] + both(i, 0) : tile[7 - l];
    if (i % 4 == 1) step(both(i, i));
    meet();
    out[i] = r;
}
//---- calls_between_two_barriers
//: global 16
//: local 8
//: arg out=i32[16]
//: not host: barriers
//: expect out = sum(t, 0, 3, (i % 8 + t) % 2 ? 3 * ((7 - i % 8) % 3 == 0 ? 4 * (3 * (7 - i % 8 + t) + 1) + 1 : 3 * (7 - i % 8 + t) + 1) + 1 : 9 * ((7 - i % 8) % 3 == 0 ? 4 * (3 * (7 - i % 8 + t) + 1) + 1 : 3 * (7 - i % 8 + t) + 1) + 4)
__attribute__((shared_region)) int step(int x) { return x * 3 + 1; }
kernel void k(global int* out) {
    local int tile[8];
    int l = get_local_id(0), sum = 0;
    for (int turn = 0; turn < 3; turn++) {
        int a = step(l + turn);
        if (l % 3 == 0) a += step(a);
        tile[l] = a;
        barrier(CLK_LOCAL_MEM_FENCE);
        switch ((l + turn) % 2) {
            case 0: sum += step(step(tile[7 - l])); break;
            default: sum += step(tile[7 - l]);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = sum;
}
//---- calls_around_a_barrier_in_a_loop_of_goto
//: global 16
//: local 8
//: arg out=i32[16]
//: not host: barriers
//: expect out = 3 * (27 * (7 - i % 8) + 37)
__attribute__((shared_region)) int step(int x) { return x * 3 + 1; }
kernel void k(global int* out) {
    local int tile[8];
    int l = get_local_id(0), turn = 0, x = step(l);
again:
    tile[l] = x + step(turn);
    barrier(CLK_LOCAL_MEM_FENCE);
    x = tile[7 - l];
    barrier(CLK_LOCAL_MEM_FENCE);
    x = step(x) - step(0);
    if (++turn < 3) goto again;
    out[get_global_id(0)] = x;
}
//---- thirty_levels_that_call_the_next_twice
//: global 32
//: arg out=i32[32]
//: expect out = i - 434 + 2 * ((i >> 1 & 1) + (i >> 2 & 1) * 2 + (i >> 3 & 1) * 3 + (i >> 4 & 1) * 4)
#define LEVEL(n, next) \
    int level##n(int x) { return x >> n & 1 ? level##next(x) + n : level##next(x) - n; }
int level0(int x) { return x + 1; }
LEVEL(1, 0) LEVEL(2, 1) LEVEL(3, 2) LEVEL(4, 3) LEVEL(5, 4) LEVEL(6, 5) LEVEL(7, 6) LEVEL(8, 7)
LEVEL(9, 8) LEVEL(10, 9) LEVEL(11, 10) LEVEL(12, 11) LEVEL(13, 12) LEVEL(14, 13) LEVEL(15, 14)
LEVEL(16, 15) LEVEL(17, 16) LEVEL(18, 17) LEVEL(19, 18) LEVEL(20, 19) LEVEL(21, 20) LEVEL(22, 21)
LEVEL(23, 22) LEVEL(24, 23) LEVEL(25, 24) LEVEL(26, 25) LEVEL(27, 26) LEVEL(28, 27) LEVEL(29, 28)
kernel void k(global int* out) {
    int i = get_global_id(0);
    out[i] = level29(i);
}
//---- a_call_behind_a_region_that_never_returns
//: global 8
//: arg in=i32[8]:iota
//: arg out=i32[8]
//: expect out = i < 6 ? i * 3 : 3
__attribute__((shared_region)) void die(int x) { throw x; }
__attribute__((shared_region)) int triple(int x) { return x * 3; }
kernel void k(global const int* in, global int* out) {
    int i = get_global_id(0), r = triple(in[i]);
    try {
        if (r > 15) {
            die(3);
            r = in[i - 1] * 5 + triple(r);
        }
    } catch (int e) {
        r = e;
    }
    out[i] = r;
}
