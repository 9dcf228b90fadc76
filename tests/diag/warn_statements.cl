//---- empty_if
kernel void k(global int* out, int n) {
    if (n > 3);
        out[0] = n;
    if ((n > 3)) ;
}
//---- empty_loop_before_a_block
kernel void k(global int* out, int n) {
    while (out[n] > n++);
    {
        out[0] = n;
    }
    for (int i = 0; i < n; i++);
    { out[1] = n; }
}
//---- empty_loop_before_an_indented_line
kernel void k(global int* out, int n) {
    for (int i = 0; i < n; i++);
        out[n] = n;
    while (out[n] > n++);
      // a comment between
      n = 3;
    out[1] = n;
}
//---- ok_empty_bodies
#define LOG
kernel void k(global int* out, int n) {
    if (n > 3)
        ;
    if (n > 4) LOG;
    if (n > 5); else out[0] = 1;
    while (out[n++]);
    for (int i = 0; out[i]; i++);
    do ; while (n--);
    if (n > 6) {}
    for (int i = 0; out[i]; i++); out[2] = 2;
    if (n) for (int i = 0; out[i]; i++);
        out[3] = 2;
	for (int i = 0; out[i]; i++);
        out[4] = 2;
    out[1] = 2;
}
//---- tested_before
kernel void k(global int* out, int n) {
    if (n == 1) out[0] = 1;
    else if (n == 2) out[0] = 2;
    else if (n == 1) out[0] = 3;
    else if (n == 2) out[0] = 4;
}
//---- ok_tested_before
int next(global int* p) { return (*p)++; }
kernel void k(global int* out, int n, int m) {
    if (n == 1) out[0] = 1;
    else if (m == 1) out[0] = 2;
    if (n == 1) out[0] = 1;
    if (next(out)) out[1] = 1;
    else if (next(out)) out[1] = 2;
    if (n == 1) out[0] = 1;
    else if (n++) out[0] = 2;
    else if (n == 1) out[0] = 3;
}
//---- shadow -Wshadow
int f(int x) {
    for (int x = 0; x < 3; x++) { int x = 2; if (x) return x; }
    try { throw x; } catch (int x) { return x; }
}
kernel void k(global int* out, int n) {
    { int n = 3; out[0] = n; }
    out[1] = f(n);
}
//---- ok_shadow -Wshadow
kernel void k(global int* out, int n) {
    for (int i = 0; i < n; i++) out[i] = 1;
    for (int i = 0; i < n; i++) { int a = i; out[i] = a; }
    { int a = 3; out[0] = a; }
    int a = 4;
    out[1] = a;
    try { throw 1; } catch (int e) { out[2] = e; }
    try { throw 2.0f; } catch (float e) { out[3] = e; }
}
