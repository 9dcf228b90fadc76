//---- nothing_throws
int plain(int n) { return n; }
kernel void k(global int* out, int n) {
    try {
        out[0] = plain(n);
    } catch (int e) {
        out[1] = e;
    } catch (...) {
        out[2] = 1;
    }
}
//---- type_is_not_thrown
int risky(uint n) { if (n > 3) throw n; return 1; }
kernel void k(global int* out, int n) {
    try {
        if (n > 3) throw 2.0f;
        out[0] = risky(n);
    } catch (int e) {
        out[1] = e;
    } catch (float f) {
        out[2] = f;
    } catch (uint u) {
        out[3] = u;
    }
}
//---- caught_further_inside
kernel void k(global int* out, int n) {
    try {
        try { throw n; } catch (int e) { out[0] = e; }
    } catch (int e) {
        out[1] = e;
    }
}
//---- caught_twice
kernel void k(global int* out, int n) {
    try {
        throw n;
    } catch (int e) {
        out[0] = e;
    } catch (int again) {
        out[1] = again;
    }
}
//---- ok_handlers
int risky(int n) { if (n > 3) throw n; return 1; }
int later(int n);
kernel void k(global int* out, int n) {
    try {
        out[0] = risky(n);
    } catch (int e) {
        out[1] = e;
    } catch (...) {
        out[2] = 1;
    }
    try {
        try { out[0] = later(n); } catch (float e) { throw; }
    } catch (float e) {
        out[1] = e;
    }
    try {
        try { throw n; } catch (...) { throw; }
    } catch (int e) {
        out[3] = e;
    }
    try {
        try { throw n; } catch (int e) { throw 2.0f; }
    } catch (float e) {
        out[3] = e;
    }
}
int later(int n) { if (n > 5) throw 1.0f; return n; }
//---- uncaught -Wuncaught-exception
int risky(int n) { if (n > 3) throw n; return 1; }
int wrapped(int n) { try { return risky(n); } catch (int e) { return e; } }
kernel void k(global int* out, int n) {
    if (n > 5) throw 2.0f;
    out[0] = risky(n);
    out[1] = wrapped(n);
    try { out[2] = risky(n); } catch (int e) { if (e > 4) throw; }
}
//---- ok_uncaught_without_option
kernel void k(global int* out, int n) { if (n > 5) throw 2.0f; }
