void fill(float* p, int n) { p[0] = n; }
void helper(void) { local int shared[4]; }
kernel void arrays(global float* out, int n) {
    int vla[n], none[0], negative[-1], missing[];
    int a[2] = {1, 2, 3}, b[2][2] = {{1, 2, 3}}, c[3] = {[3] = 1}, d[2] = {.x = 1}, e[2] = 5;
    local int tile[4] = {0};
    global int g;
    fill(out, 1);
    a = b[0];
    a.x = 1;
}
