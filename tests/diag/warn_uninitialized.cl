//---- straight
kernel void k(global int* out) {
    int x;
    out[0] = x;
    int y;
    y++;
    out[1] = y;
    int z = z + 1;
    out[2] = z;
    float sum;
    sum += 2.0f;
    out[3] = sum;
}
//---- ok_straight
kernel void k(global int* out, int n) {
    int x;
    x = 3;
    int y;
    out[0] = (y = x) + y;
    int z;
    out[1] = sizeof(z);
    if (n) z = 1; else z = 2;
    out[2] = z;
}
//---- branch
kernel void k(global int* out, int n) {
    int x;
    if (n > 3) x = 1;
    out[0] = x;
}
//---- else_branch
kernel void k(global int* out, int n) {
    int x;
    if (n > 3)
        out[1] = 2;
    else
        x = 1;
    out[0] = x;
}
//---- else_if_chain
kernel void k(global int* out, int n) {
    float x;
    if (n == 1) x = 1;
    else if (n == 2) x = 2;
    else if (n == 3) x = 3;
    out[0] = x;
}
//---- short_circuit
kernel void k(global int* out, int n) {
    int x;
    if (n > 3 && (x = out[n]) > 2) out[1] = x;
    if (n > 3 || (x = out[n]) > 2) out[0] = x;
    int y;
    out[2] = n > 0 ? (y = 2) : 3;
    out[3] = y;
}
//---- ok_short_circuit
kernel void k(global int* out, int n) {
    int x;
    if (n > 3 && (x = out[n]) > 2) out[1] = x;
    int y;
    if (n < 0 || !(y = out[0])) return;
    out[2] = y;
}
//---- ok_loop_that_may_not_run
kernel void k(global int* out, int n) {
    int x;
    for (int i = 0; i < n; i++) x = i;
    out[0] = x;
}
//---- loop_that_may_not_run_with_extra -Wextra
kernel void k(global int* out, int n) {
    int x;
    for (int i = 0; i < n; i++) x = i;
    out[0] = x;
}
//---- ok_loops
kernel void k(global int* out, int n) {
    int x;
    do x = out[n]; while (n-- > 0);
    out[0] = x;
    int y;
    while (1) {
        y = out[n++];
        if (y > 3) break;
    }
    out[1] = y;
    int z;
    for (;;) {
        if (n > 7) { z = 2; break; }
        n++;
    }
    out[2] = z;
}
//---- left_by_break
kernel void k(global int* out, int n) {
    int x;
    while (1) {
        if (n++ > 100) break;
        if (out[n] == 0) { x = n; break; }
    }
    out[0] = x;
}
//---- ok_found_flag
kernel void k(global int* out, int n) {
    int best, found = 0;
    for (int i = 0; i < n; i++)
        if (out[i] > 3) { best = i; found = 1; }
    if (found) out[0] = best;
}
//---- found_flag_with_extra -Wmaybe-uninitialized
kernel void k(global int* out, int n) {
    int best, found = 0;
    for (int i = 0; i < n; i++)
        if (out[i] > 3) { best = i; found = 1; }
    if (found) out[0] = best;
}
//---- each_round_anew
kernel void k(global int* out, int n) {
    for (int i = 0; i < n; i++) {
        int x;
        if (i > 0) out[i] = x;
        x = i;
        out[i] += x;
    }
}
//---- switch_without_default
kernel void k(global int* out, int n) {
    int x;
    switch (n) {
        case 1: x = 1; break;
        case 2: x = 2; break;
    }
    out[0] = x;
}
//---- switch_default
kernel void k(global int* out, int n) {
    int x;
    switch (n) {
        case 1: x = 1; break;
        case 7: out[2] = 1; break;
        default: x = 3;
    }
    out[0] = x;
}
//---- ok_switch
kernel void k(global int* out, int n) {
    int x, y;
    switch (n) {
        case 1:
        case 2: x = 1; break;
        case 3: return;
        default: x = 3;
    }
    out[0] = x;
    switch (n & 3) {
        case 0: y = 5; break;
        case 1: y = 6; break;
        case 2: y = 7; break;
        case 3: y = 8; break;
    }
    out[1] = y;
}
//---- variable_of_a_switch_body
kernel void k(global int* out, int n) {
    switch (n) {
        int t = 3;
        case 1: out[0] = t; break;
        default: t = 2; out[1] = t;
    }
}
//---- goto_past_declaration
kernel void k(global int* out, int n) {
    if (n > 3) goto inside;
    int x = 2;
inside:
    out[0] = x;
}
//---- ok_goto
kernel void k(global int* out, int n) {
    int x;
    if (n > 3) goto big;
    x = 1;
    goto done;
big:
    x = 2;
done:
    out[0] = x;
again: ;
    int y = n--;
    out[y] = y;
    if (n > 0) goto again;
}
//---- goto_loop
kernel void k(global int* out, int n) {
    int x;
head:
    if (n-- > 0) goto head;
    out[0] = x;
}
//---- exceptions
int risky(int n) { if (n > 3) throw n; return 2; }
kernel void k(global int* out, int n) {
    int x, y;
    try {
        out[0] = risky(n);
        x = 1;
        y = 2;
    } catch (int e) {
        y = e;
    }
    out[1] = x;
    out[2] = y;
}
//---- ok_exceptions
int risky(int n) { if (n > 3) throw n; return 2; }
void fail(int n) { throw n; }
kernel void k(global int* out, int n) {
    int x, y, z;
    try {
        x = risky(n);
    } catch (int e) {
        x = e;
    }
    out[0] = x;
    try {
        y = risky(n);
    } catch (int e) {
        throw;
    }
    out[1] = y;
    if (n > 3) z = 1;
    else fail(n);
    out[2] = z;
}
//---- ok_constant_conditions
kernel void k(global int* out, int n) {
    int x;
    if (1) x = n;
    out[0] = x;
    int y;
    do {
        y = 3;
        if (n > 3) break;
        y = 4;
    } while (0);
    out[1] = y;
}
//---- ok_infinite_loop_and_volatile
kernel void k(global int* out, int n) {
    volatile int v;
    out[0] = v;
    int x;
    if (n > 3) { while (1) out[0]++; }
    else x = 3;
    out[1] = x;
}
//---- in_the_order_of_the_text
#define DECLARE int a; int b; out[0] = a; out[1] = b
kernel void k(global int* out) { DECLARE; }
