// Statements: if, loops of all kinds, break, continue, return, scopes.
//---- if_else_chain
//: global 20
//: arg out=i32[20]
//: expect out = i < 5 ? 1 : i < 10 ? 2 : i < 15 ? 3 : 4
kernel void k(global int* out) {
    int i = get_global_id(0);
    if (i < 5) out[i] = 1;
    else if (i < 10) out[i] = 2;
    else if (i < 15) out[i] = 3;
    else out[i] = 4;
}
//---- dangling_else
//: global 4
//: arg out=i32[4]
//: expect out = {0, 2, 0, 1}
kernel void k(global int* out) {
    int i = get_global_id(0);
    if (i & 1)
        if (i & 2) out[i] = 1;
        else out[i] = 2;
}
//---- for_sums
//: global 30
//: arg out=i32[30]
//: expect out = i * (i + 1) / 2
kernel void k(global int* out) {
    int n = get_global_id(0), sum = 0;
    for (int j = 1; j <= n; j++) sum += j;
    out[n] = sum;
}
//---- while_counts_bits
//: global 100
//: arg out=i32[100]
//: expect out = i < 1 ? 0 : i < 2 ? 1 : i < 4 ? 2 : i < 8 ? 3 : i < 16 ? 4 : i < 32 ? 5 : i < 64 ? 6 : 7
kernel void k(global int* out) {
    int i = get_global_id(0), n = i, bits = 0;
    while (n) {
        n >>= 1;
        bits++;
    }
    out[i] = bits;
}
//---- do_runs_once
//: global 10
//: arg out=i32[10]
//: expect out = i < 3 ? i + 1 : i < 6 ? 3 : 1
kernel void k(global int* out) {
    int i = get_global_id(0), n = 0, limit = i < 3 ? i + 1 : i < 6 ? 3 : -5;
    do n++;
    while (n < limit);
    out[i] = n;
}
//---- break_leaves_the_inner_loop
//: global 12
//: arg out=i32[12]
//: expect out = sum(a, 0, 5, a < i ? a : i)
kernel void k(global int* out) {
    int i = get_global_id(0), n = 0;
    for (int a = 0; a < 5; a++)
        for (int b = 0;; b++) {
            if (b == a || b == i) break;
            n++;
        }
    out[i] = n;
}
//---- continue_in_for_steps
//: global 20
//: arg out=i32[20]
//: expect out = sum(j, 0, i, j % 3 == 1 ? 0 : j)
kernel void k(global int* out) {
    int i = get_global_id(0), sum = 0;
    for (int j = 0; j < i; j++) {
        if (j % 3 == 1) continue;
        sum += j;
    }
    out[i] = sum;
}
//---- continue_in_while
//: global 20
//: arg out=i32[20]
//: expect out = sum(j, 1, i + 1, j % 2 ? 0 : j)
kernel void k(global int* out) {
    int i = get_global_id(0), sum = 0, j = i + 1;
    while (--j > 0) {
        if (j & 1) continue;
        sum += j;
    }
    out[i] = sum;
}
//---- continue_after_the_step
// The count is uniform although work-items go on to the next iteration from two places.
//: global 20
//: arg in=i32[200]:rand(6,0,1000)
//: arg out=i32[20]
//: arg seen=u8[1280]
//: arg n=10
//: expect out = sum(j, 0, 10, in[j * 20 + i] % 2 ? 0 : in[j * 20 + i])
//: expect seen = sum(j, 0, 10, in[j * 20 + i / 64] % 2 == 1 && in[j * 20 + i / 64] % 64 == i % 64) > 0
kernel void k(global const int* in, global int* out, global uchar* seen, int n) {
    int i = get_global_id(0), j = 0, sum = 0;
    while (j < n) {
        int v = in[j * 20 + i];
        j++;
        if (v & 1) {
            seen[i * 64 + (v & 63)] = 1;
            continue;
        }
        sum += v;
    }
    out[i] = sum;
}
//---- steps_of_two
//: global 20
//: arg in=i32[200]:rand(6,0,1000)
//: arg out=i32[20]
//: arg seen=u8[1280]
//: arg n=11
//: expect out = sum(j, 0, 5, in[j * 40 + i] % 2 ? 0 : in[j * 40 + i] * in[j * 40 + 20 + i])
//: expect seen = sum(j, 0, 5, in[j * 40 + i / 64] % 2 == 1 && in[j * 40 + i / 64] % 64 == i % 64) > 0
kernel void k(global const int* in, global int* out, global uchar* seen, int n) {
    int i = get_global_id(0), sum = 0;
    for (int j = 0; j + 2 < n; j += 2) {
        int v = in[j * 20 + i], w = in[(j + 1) * 20 + i];
        if (v & 1) seen[i * 64 + (v & 63)] = 1;
        else sum += v * w;
    }
    out[i] = sum;
}
//---- continue_in_do_tests_the_condition
//: global 8
//: arg out=i32[8]
//: expect out = i / 2 + 1
kernel void k(global int* out) {
    int i = get_global_id(0), n = -1, even = 0;
    do {
        n++;
        if (n & 1) continue;
        even++;
    } while (n < i);
    out[i] = i & 1 ? even : even;
}
//---- early_returns
//: global 10
//: arg out=i32[10]:fill(-1)
//: expect out = i < 3 ? -1 : i < 6 ? 1 : 2
kernel void k(global int* out) {
    int i = get_global_id(0);
    if (i < 3) return;
    out[i] = 1;
    if (i < 6) return;
    out[i] = 2;
}
//---- return_in_nested_loops
//: global 30
//: arg out=i32[30]:fill(-1)
//: expect out = i % 7 == 6 ? -1 : (i % 7) * 10 + i % 5
kernel void k(global int* out) {
    int i = get_global_id(0);
    for (int a = 0; a < 6; a++)
        for (int b = 0; b < 5; b++)
            if (a == i % 7 && b == i % 5) {
                out[i] = a * 10 + b;
                return;
            }
}
//---- scopes_shadow
//: global 1
//: arg out=i32[4]
//: expect out = {1, 2, 3, 1}
kernel void k(global int* out) {
    int x = 1;
    out[0] = x;
    {
        int x = 2;
        out[1] = x;
        for (int x = 3; x < 4; x++) out[2] = x;
    }
    out[3] = x;
}
//---- uninitialised_is_zero_each_time
//: global 4
//: arg out=i32[4]
//: not host: C++ leaves it open
//: not opencl: OpenCL C leaves it open
//: expect out = 10
kernel void k(global int* out) {
    int i = get_global_id(0), sum = 0;
    for (int j = 0; j < 5; j++) {
        int x;
        x += j;
        sum += x;
    }
    out[i] = sum;
}
//---- empty_statements
//: global 3
//: arg out=i32[3]
//: expect out = 7
kernel void k(global int* out) {
    int i = get_global_id(0), n = 0;
    ;
    for (; n < 7; n++);
    if (i > 100);
    else;
    {}
    out[i] = n;
}
//---- loop_conditions_with_effects
//: global 10
//: arg out=i32[10]
//: expect out = i * 2
kernel void k(global int* out) {
    int i = get_global_id(0), n = i, m = 0;
    while (n-- > 0 && (m += 2));
    out[i] = m;
}
//---- three_levels
//: global 16
//: arg out=i32[16]
//: expect out = sum(a, 0, i % 4 + 1, sum(b, 0, a + 1, sum(c, b, i / 4 + 2, a + b + c)))
kernel void k(global int* out) {
    int i = get_global_id(0), sum = 0;
    for (int a = 0; a <= i % 4; a++)
        for (int b = 0; b <= a; b++)
            for (int c = b; c < i / 4 + 2; c++) sum += a + b + c;
    out[i] = sum;
}
//---- primes
//: global 60
//: arg out=i32[60]
//: expect out = i > 1 && sum(d, 2, i, i % d == 0) == 0
kernel void k(global int* out) {
    int i = get_global_id(0);
    if (i < 2) {
        out[i] = 0;
        return;
    }
    int prime = 1;
    for (int d = 2; d * d <= i; d++)
        if (i % d == 0) {
            prime = 0;
            break;
        }
    out[i] = prime;
}
//---- loop_with_two_exits
//: global 40
//: arg in=i32[40]:rand(9,0,10)
//: arg out=i32[40]
//: expect out = in[i] == 0 ? 1 : in[i] * 100
kernel void k(global const int* in, global int* out) {
    int i = get_global_id(0), n = 0;
    for (;;) {
        if (in[i] == 0) {
            n = 1;
            break;
        }
        n += 100;
        if (n == in[i] * 100) break;
    }
    out[i] = n;
}
//---- flattened_loops
//: global 8
//: arg out=i32[64]
//: expect out = i / 8 + i % 8 * 3
kernel void k(global int* out) {
    int row = get_global_id(0), column = 0, n = 0;
    while (column != 8) {
        if (n >= column * 3) {
            out[row * 8 + column] = n + row;
            column++;
            continue;
        }
        n++;
    }
}
//---- uniform_loop_divergent_body
//: global 64
//: arg out=i32[64]
//: arg limit=10
//: expect out = sum(j, 0, limit, (i + j) % 3 == 0 ? j : (i ^ j) & 1)
kernel void k(global int* out, int limit) {
    int i = get_global_id(0), sum = 0;
    for (int j = 0; j < limit; j++) {
        if ((i + j) % 3 == 0) sum += j;
        else sum += (i ^ j) & 1;
    }
    out[i] = sum;
}
