// Many variables, of which few live long.
kernel void many(global const int* in, global int* out, int n) {
    int i = get_global_id(0), sum = 0, most = 0, least = 1 << 20, odd = 0, steps = 0;
    for (int k = 0; k < n; k++) {
        int x = in[(i + k) & 63], y = x & 255, z = x >> 8;
        if (x & 1) {
            int t = y * 3;
            odd++;
            if (t > most) most = t;
        } else {
            int t = z * 5;
            if (t < least) least = t;
            y += t;
        }
        int left = y & 15;
        while (left > 0) {
            int d = left & 3;
            if (d == 0) d = 1;
            left -= d;
            steps++;
        }
        int w = y * z;
        if (w > 1000) {
            int u = w - 1000;
            sum += u;
        }
        sum += w & 15;
    }
    out[i] = sum + most * 3 + least * 5 + odd * 7 + steps;
}
