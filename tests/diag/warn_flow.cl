//---- after_jumps
int f(int n) {
    return n;
    n = 3;
}
kernel void k(global int* out, int n) {
    for (;;) {
        if (n > 3) {
            break;
            out[0] = 1;
            out[1] = 1;
        }
        continue;
        n++;
    }
    goto end;
    out[2] = 1;
end:
    throw n;
    out[3] = f(n);
}
//---- after_endless_loop
kernel void k(global int* out, int n) {
    while (1) {
        out[0]++;
    }
    out[1] = 2;
}
//---- after_if_that_never_ends
int sign(int n) {
    if (n > 0) return 1;
    else if (n < 0) return -1;
    else return 0;
    n = 3;
    return n;
}
kernel void k(global int* out) { out[0] = sign(out[1]); }
//---- after_call_that_always_throws
void fail(int code) { throw code; }
int pick(int n) {
    if (n > 3) {
        fail(n);
        n = 2;
    }
    return n;
}
kernel void k(global int* out) { out[0] = pick(out[1]); }
//---- before_the_first_case
kernel void k(global int* out, int n) {
    switch (n) {
        out[0] = 1;
        case 1: out[1] = 2;
    }
}
//---- dead_block
kernel void k(global int* out, int n) {
    return;
    {
        out[0] = n;
        out[1] = n;
    }
    for (int i = 0; i < n; i++) out[i] = 3;
}
//---- ok_reached
int sign(int n) {
    switch (n) {
        case 1: return 1; break;
        case 2: throw 3; break;
        default: return 0;
    }
    return 4;
}
kernel void k(global int* out, int n) {
    int i = 0;
    switch (n & 3) {
        int t;
        do {
        case 0: out[i++] = 1;
        case 3: t = 2; out[i++] = t;
        case 2: out[i++] = 1;
        case 1: out[i++] = 1;
        } while (i < n);
    }
    if (0) out[0] = 2;
    if (1) out[0] = 2; else out[0] = 3;
    while (0) out[0]++;
    do { out[1]++; } while (0);
    goto inner;
    {
        inner:
        out[2] = sign(n);
    }
    return;
}
//---- missing_return
int f(int n) {
    if (n > 3) return 1;
}
int g(int n) { n++; }
int h(int n) {
    while (n > 3) { if (n-- == 7) return n; }
}
int s(int n) {
    switch (n) {
        case 1: return 1;
        case 2: return 2;
    }
}
int t(int n) {
    try { throw n; } catch (int e) { }
}
kernel void k(global int* out) { out[0] = f(1) + g(2) + h(3) + s(4) + t(5); }
//---- ok_returns
int f(int n) { if (n > 3) return 1; else return 2; }
int g(int n) { for (;;) { if (n++ > 3) return n; } }
int h(int n) { switch (n) { case 1: return 1; default: return 2; } }
int s(int n) { throw n; }
int t(int n) { goto out; out: return n; }
int u(int n) { try { return s(n); } catch (int e) { return e; } }
int v(int n) { do { if (n > 3) return 1; n++; } while (1); }
int w(int n) { switch (n & 1) { case 0: return 1; case 1: return 2; } }
int x(int n) { if (n > 3) return 1; s(n); }
int y(int n) { while (1) n++; }
void z(int n) { if (n > 3) return; }
kernel void k(global int* out) {
    z(2);
    out[0] = f(1) + g(2) + h(3) + t(5) + u(6) + v(7) + w(8) + x(9);
    if (out[0] > 3) out[1] = s(4);
    else out[1] = y(1);
}
//---- fallthrough -Wextra
kernel void k(global int* out, int n) {
    switch (n) {
        case 1:
            out[0] = 1;
        case 2:
            out[1] = 1;
            if (n > 3) break;
        default:
            out[2] = 1;
    }
}
//---- ok_fallthrough -Wextra
kernel void k(global int* out, int n) {
    switch (n) {
        case 1:
        case 2:
            out[0] = 1;
            /* fall through */
        case 3:
            out[1] = 1;  // FALLTHRU
        case 4: {
            out[2] = 1;
            // Falls through to the next.
        }
        case 5:
            out[3] = 1;
            break;
        case 6:
            if (n > 3) return; else break;
        case 7: {
            out[4] = 1;
            continue_here:
            if (n++ < 9) goto continue_here;
            break;
        }
        case 8:
            out[4] = 2;
            __attribute__((fallthrough));
        default:
            out[5] = 1;
    }
}
//---- ok_fallthrough_without_option
kernel void k(global int* out, int n) {
    switch (n) {
        case 1: out[0] = 1;
        case 2: out[1] = 1;
    }
}
