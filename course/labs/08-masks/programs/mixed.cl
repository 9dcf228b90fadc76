// Loops in branches and branches in loops: what quality is measured on.
kernel void mixed(global const int* in, global int* out, int rounds) {
    int i = get_global_id(0);
    int a = in[i], b = i & 7;
    for (int r = 0; r < rounds; ++r) {
        if (a & 1) {
            int k = b;
            while (k > 0) {
                a += k;
                k -= 2;
            }
        } else {
            a = a / 2 + b;
        }
        if (a > 1000) {
            b = b + 1;
            a = a - 900;
        }
        if (b > 12) break;
    }
    out[i] = a * 16 + b;
}
