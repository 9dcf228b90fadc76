// goto: out of loops, into loops, into blocks, loops with several entries.
//---- forward
//: global 6
//: arg out=i32[6]
//: expect out = i < 3 ? 1 : 2
kernel void k(global int* out) {
    int i = get_global_id(0);
    if (i < 3) goto one;
    out[i] = 2;
    goto end;
one:
    out[i] = 1;
end:;
}
//---- backward_is_a_loop
//: global 10
//: arg out=i32[10]
//: expect out = i * (i + 1) / 2
kernel void k(global int* out) {
    int i = get_global_id(0), n = i, sum = 0;
again:
    sum += n;
    if (n-- > 0) goto again;
    out[i] = sum + 0;
}
//---- out_of_two_loops
//: global 20
//: arg out=i32[20]
//: expect out = i * 100 / 7 % 10 * 10 + i % 10
kernel void k(global int* out) {
    int i = get_global_id(0), a, b;
    for (a = 0; a < 10; a++)
        for (b = 0; b < 10; b++)
            if (a == i * 100 / 7 % 10 && b == i % 10) goto found;
    a = -1;
found:
    out[i] = a * 10 + b;
}
//---- into_a_while_loop
//: global 8
//: arg out=i32[8]
//: expect out = i % 2 ? i + 1 : i + 2
kernel void k(global int* out) {
    int i = get_global_id(0), n = 0, j = 0;
    if (i & 1) goto middle;
    while (j <= i) {
        n++;
    middle:
        j++;
    }
    out[i] = i & 1 ? n + 1 : n + 1;
}
//---- into_a_for_body
//: global 4
//: arg out=i32[4]
//: not host: C++ refuses a jump past an initialised variable
//: not opencl: OpenCL C leaves the variable open
//: expect out = {21, 7, 21, 7}
kernel void k(global int* out) {
    int i = get_global_id(0), n = 0;
    if (i & 1) goto inside;
    n = 14;
    for (int j = 0; j < 7; j++) {
    inside:
        n++;
    }
    out[i] = n;
}
//---- past_a_declaration_reads_zero
//: global 2
//: arg out=i32[2]
//: not host: C++ leaves it open
//: not opencl: OpenCL C leaves it open
//: expect out = {5, 0}
kernel void k(global int* out) {
    int i = get_global_id(0);
    {
        if (i == 1) goto skip;
        int x = 5;
    skip:
        out[i] = x;
    }
}
//---- loop_with_two_entries
//: global 16
//: arg out=i32[16]
//: expect out = i & 1 ? 100 + (20 - i) * 2 : (20 - i) * 2 + 1
kernel void k(global int* out) {
    int i = get_global_id(0), j = i, n = 0;
    if (i & 1) {
        n = 100;
        goto second;
    }
first:
    n++;
    if (j >= 20) goto end;
second:
    n++;
    j++;
    if (j > 20) goto end;
    goto first;
end:
    out[i] = i & 1 ? n - (j > 20) : n;
}
//---- three_labels_in_a_ring
//: global 30
//: arg out=i32[30]
//: expect out = 30 - i
kernel void k(global int* out) {
    int i = get_global_id(0), n = 0, left = 30 - i;
    if (i % 3 == 0) goto a;
    if (i % 3 == 1) goto b;
    goto c;
a:
    n++;
    if (--left == 0) goto end;
b:
    n++;
    if (--left == 0) goto end;
c:
    n++;
    if (--left == 0) goto end;
    goto a;
end:
    out[i] = n;
}
//---- state_machine
//: global 8
//: arg text=u8[64]:rand(12,0,4)
//: arg out=i32[8]
//: expect out = sum(k, 0, 8, text[i * 8 + k] == 3) * 100 + sum(k, 0, 8, text[i * 8 + k] == 2)
kernel void k(global const uchar* text, global int* out) {
    int i = get_global_id(0), at = i * 8, end = at + 8, n = 0;
next:
    if (at == end) goto done;
    switch (text[at++]) {
        case 3: goto three;
        case 2: goto two;
        default: goto next;
    }
three:
    n += 100;
    goto next;
two:
    n++;
    goto next;
done:
    out[i] = n;
}
//---- into_both_arms_of_an_if
//: global 6
//: arg out=i32[6]
//: expect out = {12, 1, 2, 12, 1, 2}
kernel void k(global int* out) {
    int i = get_global_id(0), n = 0;
    if (i % 3 == 1) goto yes;
    if (i % 3 == 2) goto no;
    n = 10;
    if (n < 5) {
    yes:
        n += 1;
    } else {
    no:
        n += 2;
    }
    out[i] = n;
}
//---- spaghetti
//: global 64
//: arg out=i32[64]
//: not opencl: takes long to build with some versions
//: expect out = i % 4 == 0 ? 1111 : i % 4 == 1 ? 111 : i % 4 == 2 ? 11 : 1
kernel void k(global int* out) {
    int i = get_global_id(0), n = 0;
    switch (i % 4) {
        case 0: goto d;
        case 1: goto c;
        case 2: goto b;
        default: goto a;
    }
a:
    n += 1;
    goto end;
b:
    n += 10;
    goto a;
c:
    n += 100;
    goto b;
d:
    n += 1000;
    goto c;
end:
    out[i] = n;
}
//---- unreachable_code
//: global 3
//: arg out=i32[3]
//: expect out = 4
kernel void k(global int* out) {
    int i = get_global_id(0);
    out[i] = 4;
    goto end;
    out[i] = 5;
lost:
    out[i] = 6;
    goto lost;
end:;
}
//---- label_and_variable_share_a_name
//: global 2
//: arg out=i32[2]
//: expect out = 3
kernel void k(global int* out) {
    int out_of_it = 3;
    goto out_of_it;
out_of_it:
    out[get_global_id(0)] = out_of_it;
}
//---- goto_in_a_helper
//: global 12
//: arg out=i32[12]
//: expect out = (i < 5 ? i * 2 : i + 100) + (i + 1 < 5 ? (i + 1) * 2 : i + 101)
int choose(int x) {
    if (x < 5) goto small;
    return x + 100;
small:
    return x * 2;
}
kernel void k(global int* out) {
    int i = get_global_id(0);
    out[i] = choose(i) + choose(i + 1);
}

//---- nobody_computes_in_a_loop_with_two_entries
//: global 7
//: local 7
//: arg in=i32[2]:fill(12345)
//: arg out=i64[7]
//: arg n=22
//: expect out = (12345 ^ i) * 31 + 22
kernel void k(global long* out, global const int* in, int n) {
    int i = get_global_id(0);
    int fuel = 40, d = in[1];
    long acc = in[0] ^ i;
    if (i) goto inside;
    switch (acc) {
        case 1000:
            while (fuel--) {
            inside:
                if (fuel--) goto end;
                acc %= (float)d == 0.0f;
            }
            n--;
    }
end:
    out[i] = acc * 31 + n;
}
//---- an_endless_loop_that_nobody_enters
//: global 70
//: arg out=i32[70]
//: arg n=70
//: expect out = i * 3
kernel void k(global int* out, int n) {
    int i = get_global_id(0);
    if (i < n) out[i] = i * 3;
    else
        for (;;);
}
//---- loads_in_a_loop_inside_of_a_cycle_with_two_entries
//: global 1
//: arg a=i32[1]:iota
//: arg b=i32[1]
//: arg n=4
//: expect a = 9
//: expect b = 26
kernel void k(global int* a, global int* b, int n) {
    int x, k = 0;
    if (a[0] < n) goto more;
again:
    x = a[0];
    if (x >= 9) goto end;
    if (k & 4) {
        k++;
        goto again;
    }
more:
    a[0] = a[0] + 1;
    k++;
    goto again;
end:
    b[0] = x + k;
}
