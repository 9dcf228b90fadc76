// Loops whose states begin alike: labels, cases and sides of branches that each load at their head. Each
// kernel finds its answer twice, by a state machine and by straight code, or counts something known.
//---- labels
//: global 40
//: arg out=i32[40]
//: arg in=u8[64]:iota
//: expect out = i % 16 + 1
kernel void k(global int* out, global const uchar* in) {
    int i = get_global_id(0), at = i, left = i % 16 + 1, even = 0, odd = 0, fours = 0;
    uchar c;
plain:
    if (left == 0) goto done;
    c = in[at++ & 63];
    left--;
    if (c % 4 == 3) goto four;
    if (c & 1) { odd++; goto after_odd; }
    even++;
    goto plain;
after_odd:
    if (left == 0) goto done;
    c = in[at++ & 63];
    left--;
    if (c % 4 == 3) goto four;
    if (c & 1) { odd++; goto after_odd; }
    even++;
    goto plain;
four:
    fours++;
    if (left == 0) goto done;
    c = in[at++ & 63];
    left--;
    if (c & 1) { odd++; goto after_odd; }
    even++;
    goto plain;
done:
    out[i] = even + odd + fours;
}
//---- different_ends
//: global 33
//: arg out=i32[33]
//: arg in=u8[64]:fill(5)
//: expect out = i % 3 == 0 ? 100 + i % 7 : i % 3 == 1 ? 200 + i % 7 : 300 + i % 7
kernel void k(global int* out, global const uchar* in) {
    int i = get_global_id(0), left = i % 7, at = i & 3, r, n = 0, c;
    if (i % 3 == 1) goto b;
    if (i % 3 == 2) goto c;
a:
    if (left == 0) { r = 100; goto done; }
    c = in[at++]; left--; n += c / 5;
    goto a;
b:
    if (left == 0) { r = 200; goto done; }
    c = in[at++]; left--; n += c - 4;
    if (c == 4) goto c;
    goto b;
c:
    if (left == 0) { r = 300; goto done; }
    c = in[at++]; left--; n += c == 5;
    if (c == 3) goto a;
    goto c;
done:
    out[i] = r + n;
}
//---- cases
//: global 64
//: arg out=i32[64]
//: arg in=i32[64]:iota
//: expect out = 1
kernel void k(global int* out, global const int* in) {
    int i = get_global_id(0), state = i % 3, at = i, sum = 0, n = 0;
    while (n < i % 11 + 4) {
        switch (state) {
        case 0: { int c = in[at & 63]; at++; sum += c; state = c % 3; break; }
        case 1: { int c = in[at & 63]; at++; sum -= c; state = c & 1 ? 2 : 0; break; }
        default: { int c = in[at & 63]; at++; sum ^= c; state = c % 5 == 0 ? 1 : c % 3; }
        }
        n++;
    }
    int check = 0, s = i % 3;
    for (int j = 0; j < i % 11 + 4; j++) {
        int c = (i + j) & 63;
        check = s == 0 ? check + c : s == 1 ? check - c : check ^ c;
        s = s == 0 ? c % 3 : s == 1 ? (c & 1) * 2 : c % 5 == 0 ? 1 : c % 3;
    }
    out[i] = sum == check && state == s;
}
//---- sides_of_a_branch
//: global 50
//: arg out=i32[50]
//: arg in=i32[64]:iota
//: expect out = 1
kernel void k(global int* out, global const int* in) {
    int i = get_global_id(0), a = i, b = 0, sum = 0;
    for (int n = 0; n < 9; n++) {
        if ((a ^ n) & 1) {
            int v = in[a & 63];
            a += 2;
            sum += 3 * v;
        } else {
            int v = in[a & 63];
            a += 5;
            sum -= v;
            b++;
        }
    }
    int want = 0, at = i, m = 0;
    for (int n = 0; n < 9; n++) {
        int odd = (at ^ n) & 1;
        want += odd ? 3 * (at & 63) : -(at & 63);
        at += odd ? 2 : 5;
        m += !odd;
    }
    out[i] = sum == want && b == m && a == at;
}
//---- the_last_of_another_state
// What a head loaded is still wanted when another head has loaded.
//: global 64
//: arg out=i32[64]
//: arg in=i32[64]:iota
//: expect out = 1
kernel void k(global int* out, global const int* in) {
    int i = get_global_id(0), at = i, left = i % 13 + 2, x = -1, y = -2, sum = 0;
first:
    if (left-- == 0) goto done;
    x = in[at++ & 63];
    sum = sum * 3 + x - y;
    if (x & 1) goto second;
    goto first;
second:
    if (left-- == 0) goto done;
    y = in[at++ & 63];
    sum = sum * 5 + y - x;
    if (y & 2) goto first;
    goto second;
done:;
    int u = -1, v = -2, want = 0, s = 0;
    for (int n = 0; n < i % 13 + 2; n++) {
        int c = (i + n) & 63;
        if (s == 0) { u = c; want = want * 3 + u - v; s = u & 1; }
        else { v = c; want = want * 5 + v - u; s = !(v & 2); }
    }
    out[i] = sum == want && x == u && y == v;
}
//---- two_pointers
// The states read through pointers that change places: one load for both would read the wrong one.
//: global 32
//: arg out=i32[32]
//: arg a=i32[16]:fill(1)
//: arg b=i32[16]:fill(100)
//: expect out = (i % 6 + 1) / 2 + i % 6 / 2 * 100
kernel void k(global int* out, global const int* a, global const int* b) {
    int i = get_global_id(0), left = i % 6, sum = 0, n = i & 7;
    global const int *p = a, *q = b, *t;
one:
    if (left == 0) goto done;
    sum += p[n];
    left--;
    t = p; p = q; q = t;
    if (n & 8) goto one;
two:
    if (left == 0) goto done;
    sum += p[n];
    left--;
    t = p; p = q; q = t;
    goto one;
done:
    out[i] = sum;
}
//---- stores_between
// A head that stores before it loads does not load with the others.
//: global 8
//: arg out=i32[128]
//: expect out = i % 16 == 0 ? 0 : i % 16 == 15 ? -1 : i % 16
kernel void k(global int* out) {
    int i = get_global_id(0), at = 1, c = 0;
    global int* mine = out + 16 * i;
    mine[15] = -1;
odd:
    if (at == 15) goto done;
    mine[at] = at;
    c = mine[at - (i & 1)];
    at++;
    if (c & i & 1) goto even;
    goto odd;
even:
    if (at == 15) goto done;
    c = mine[at - 1];
    mine[at] = c + 1;
    at++;
    if (c & 2) goto odd;
    goto even;
done:;
}
//---- loops_one_behind_the_other
//: global 48
//: arg out=i32[48]
//: arg in=i32[64]:iota
//: expect out = 1
kernel void k(global int* out, global const int* in) {
    int i = get_global_id(0), at = 0, sum = 0;
    for (int round = 0; round < 3; round++) {
        for (int n = (i + round) % 5; n > 0; n--) sum += in[at++ & 63];
        for (int n = (i * 7 + round) % 6; n > 0; n--) sum ^= in[at++ & 63];
        for (int n = (i * 3 + round) % 4; n > 0; n--) sum -= in[at++ & 63];
    }
    int want = 0, w = 0;
    for (int k = 0; k < 9; k++) {
        int n = k % 3 == 0 ? (i + k / 3) % 5 : k % 3 == 1 ? (i * 7 + k / 3) % 6 : (i * 3 + k / 3) % 4;
        while (n--) { int c = w++ & 63; want = k % 3 == 0 ? want + c : k % 3 == 1 ? want ^ c : want - c; }
    }
    out[i] = sum == want;
}
//---- two_tests_before_the_load
//: global 40
//: arg out=i32[40]
//: arg in=f32[64]:iota
//: expect out = i % 9 <= 6 ? i % 9 : 1006
kernel void k(global int* out, global const float* in) {
    int i = get_global_id(0), at = i & 7, left = i % 9, budget = 6, n = 0;
    float c;
even:
    if (left == 0) goto done;
    if (budget == 0) goto poor;
    c = in[at];
    at++; left--; budget--; n++;
    if ((int)c & 1) goto odd;
    goto even;
odd:
    if (left == 0) goto done;
    if (budget == 0) goto poor;
    c = in[at];
    at++; left--; budget--; n++;
    if ((int)c % 3) goto even;
    goto odd;
poor:
    n += 1000;
done:
    out[i] = n;
}
//---- states_that_throw
//: global 24
//: arg out=i32[24]
//: arg in=i32[64]:iota
//: expect out = i < 12 ? 12 : i + 100
kernel void k(global int* out, global const int* in) {
    int i = get_global_id(0), at = i, c;
    try {
    a:
        c = in[at++];
        if (c == 12 && i < 12) throw c;
        if (c > 40) goto done;
        if (c % 3 == 0) goto b;
        goto a;
    b:
        c = in[at++];
        if (c == 12 && i < 12) throw c;
        if (c > 40) goto done;
        if (c % 4) goto a;
        goto b;
    } catch (int x) {
        out[i] = x;
        return;
    }
done:
    out[i] = i + 100;
}
//---- a_state_in_a_loop
//: global 30
//: arg out=i32[30]
//: arg in=i32[64]:iota
//: expect out = 1
kernel void k(global int* out, global const int* in) {
    int i = get_global_id(0), want = 0, sum = 0;
    for (int row = 0; row < i % 4 + 1; row++) {
        int at = row * 3 + i, left = (i + row) % 7, c;
    a:
        if (left == 0) continue;
        c = in[at++ & 63]; left--;
        sum += c;
        if (c & 4) goto b;
        goto a;
    b:
        if (left == 0) continue;
        c = in[at++ & 63]; left--;
        sum += 2 * c;
        if (c & 1) goto c;
        goto b;
    c:
        if (left == 0) continue;
        c = in[at++ & 63]; left--;
        sum -= c;
        if (c & 2) goto a;
        goto b;
    }
    for (int row = 0; row < i % 4 + 1; row++)
        for (int n = 0, s = 0; n < (i + row) % 7; n++) {
            int v = (row * 3 + i + n) & 63;
            want += s == 0 ? v : s == 1 ? 2 * v : -v;
            s = s == 0 ? (v & 4 ? 1 : 0) : s == 1 ? (v & 1 ? 2 : 1) : (v & 2 ? 0 : 1);
        }
    out[i] = sum == want;
}
//---- a_test_of_the_round_before
//: global 40
//: arg out=i32[40]
//: arg in=i32[64]:iota
//: expect out = 20
kernel void k(global int* out, global const int* in) {
    int i = get_global_id(0), at = i, rounds = 0, wrong = 0, from, t, c;
    // The other states compute of their numbers what is computed behind them of the first state's.
first:
    if (rounds == 20) goto done;
    from = at;
    c = in[at++ & 63];
    t = c * 7;
    if (t & 1) goto second;
    if (t & 2) goto third;
    if (t & 4) goto fourth;
    goto all;
second:
    if (rounds == 20) goto done;
    c = in[at++ & 63];
    if ((c & 12) == 4) goto second;
    if ((((c * 7) ^ 13) & 3) == 0) goto second;
    goto all;
third:
    if (rounds == 20) goto done;
    c = in[at++ & 63];
    if ((c & 12) == 8) goto third;
    if ((((c * 7) ^ 13) & 3) == 1) goto second;
    goto all;
fourth:
    if (rounds == 20) goto done;
    c = in[at++ & 63];
    if ((c & 12) == 12) goto fourth;
    if ((((c * 7) ^ 13) & 3) == 2) goto third;
all:
    wrong += (t ^ 13) != (((from & 63) * 7) ^ 13);
    rounds++;
    goto first;
done:
    out[i] = wrong * 1000 + rounds;
}
//---- a_way_out_that_writes_what_it_read
//: global 40
//: arg out=i32[40]
//: arg in=i32[64]:iota
//: expect out = 5
kernel void k(global int* out, global const int* in) {
    int i = get_global_id(0), at = i, left = 40 + i, last = 0, mixed = 0, wrong = 0, c;
    if (i & 1) goto b;
a:
    if ((left & 7) == 5) { last = left; goto all; }
    c = in[at++ & 63];
    if (--left < 0) goto done;
    mixed += c ^ last;
    if (c & 1) goto b;
    goto a;
b:
    if ((left & 7) == 5) { last = left; goto all; }
    c = in[at++ & 63];
    if (--left < 0) goto done;
    mixed += c + last;
    if (c & 2) goto c;
    if (c & 4) goto a;
    goto b;
c:
    if ((left & 7) == 5) { last = left; goto all; }
    c = in[at++ & 63];
    if (--left < 0) goto done;
    mixed += c - last;
    if (c & 2) goto b;
    if (c & 4) goto a;
    goto c;
all:
    left--;
    wrong += last != left + 1;
    mixed *= 3;
    if (mixed & 32) goto a;
    if (mixed & 8) goto b;
    goto c;
done:
    out[i] = wrong * 1000 + last;
}
