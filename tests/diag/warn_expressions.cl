//---- unused_value
kernel void k(global int* out, int n) {
    n + 1;
    out[0];
    -n;
    n;
    3;
    (float)n;
    n++, n;
    sqrt(2.0f);
    convert_int(2.5f);
    out[1] = n;
}
//---- unused_comparison
kernel void k(global int* out, int n) {
    n == 1;
    n + 1 < 3;
    out[0] == n;
    for (n == 0; n < 3; n == n + 1) out[n] = n++;
}
//---- ok_used_value
kernel void k(global int* out, int n) {
    (void)n;
    (void)out[0];
    n++;
    n > 3 && out[0]++;
    n > 3 ? n++ : n--;
    out++;
    *out++ = 3;
    for (n = 0; n < 3; n++, out++) out[n] = 1;
}
//---- assignment_in_condition
kernel void k(global int* out, int n) {
    if (n = 1) out[0] = n;
    while (n = out[n]) out[0]++;
    do n--; while (out[0] = n);
    out[1] = (n = 2) ? 3 : 4;
    out[2] = n > 3 && (n = 5);
    if (!(n = 7)) return;
}
//---- assignment_without_parentheses_in_conditional
kernel void k(global int* out, int n) {
    for (int i = 3; i = n; i--) out[i] = n--;
}
//---- ok_assignment_in_parentheses
kernel void k(global int* out, int n) {
    if ((n = out[0])) out[1] = n;
    while ((n = out[n]) != 3) out[0]++;
    if (n += 2) out[2] = n;
}
//---- bitwise_and_comparison
kernel void k(global int* out, int a, int b) {
    if (a & 1 == 0) out[0] = 1;
    if (a == b | 4) out[1] = 1;
    out[2] = a ^ b < 3;
}
//---- ok_bitwise_and_comparison
kernel void k(global int* out, int a, int b) {
    if ((a & 1) == 0) out[0] = 1;
    if (a == 1 | b == 2) out[1] = 1;
    if (a == 1 & !b) out[2] = 1;
    if (a & (b == 0)) out[3] = 1;
}
//---- chained_comparison
kernel void k(global int* out, int n) {
    if (0 <= n < 10) out[0] = n;
    if (3 > n > 1) out[1] = n;
}
//---- ok_comparison_of_comparisons
kernel void k(global int* out, int a, int b) {
    if ((a < 3) == (b < 3)) out[0] = 1;
    if (a < 3 == b < 3) out[1] = 1;
    if ((a < b) < 1) out[2] = 1;
}
//---- logical_not
kernel void k(global int* out, int n) {
    if (!n == 3) out[0] = n;
    if (!n > 1) out[1] = n;
}
//---- ok_logical_not
kernel void k(global int* out, int n, int m) {
    if (!(n == 3)) out[0] = n;
    if (!n == !m) out[1] = n;
    if ((!n) == m) out[2] = n;
    if (!n == (m > 2)) out[3] = n;
    if (!(n > 2) == m) out[3] = n;
}
//---- ok_precedence_without_extra
kernel void k(global int* out, int a, int b, int c) {
    if (a && b || c) out[0] = 1;
    out[1] = a << b + c;
}
//---- precedence_with_extra -Wextra
kernel void k(global int* out, int a, int b, int c) {
    if (a && b || c) out[0] = 1;
    if (a || b && c) out[1] = 1;
    out[2] = a << b + c;
    out[3] = a - b >> c;
}
//---- ok_precedence_with_extra -Wextra
kernel void k(global int* out, int a, int b, int c) {
    if ((a && b) || c) out[0] = 1;
    out[1] = a << (b + c);
    out[2] = a << b * c;
    out[3] = a || b || c;
}
//---- self_assignment
kernel void k(global int* out, int n) {
    n = n;
    out[n] = out[n];
    n = (n);
}
//---- ok_no_self_assignment
kernel void k(global int* out, global volatile int* v, int n, int m) {
    n = m;
    out[n] = out[m];
    out[n++] = out[n++];
    v[0] = v[0];
    out[1] = n += 1;
}
//---- compared_with_itself
kernel void k(global int* out, int n) {
    if (n == n) out[0] = 1;
    if (out[n] != out[n]) out[1] = 1;
    if (n + 1 <= n + 1) out[2] = 1;
    if (n < n) out[3] = 1;
}
//---- ok_compared_with_itself
kernel void k(global int* out, float x, int n, global volatile int* v) {
    if (x != x) out[0] = 1;
    if (n++ == n++) out[1] = 1;
    if (v[0] == v[0]) out[2] = 1;
    if (1 == 1) out[4] = 1;
}
//---- both_sides
kernel void k(global int* out, int a, int b) {
    if (a > 3 && a > 3) out[0] = 1;
    if (a == 1 || a == 1) out[1] = 1;
    if (b && a && a) out[2] = 1;
}
//---- ok_both_sides
kernel void k(global int* out, int a, int b) {
    if (a > 3 && b > 3) out[0] = 1;
    if (a == 1 || a == 2) out[1] = 1;
    if (a++ && a++) out[2] = 1;
}
