export void scan_blelloch(uniform int data[], uniform int nx, uniform int ny, uniform int nz) {
    const uniform int n = 256;
    for (uniform int group = 0; group < nx / 128; group++) {
        uniform int* uniform g = data + group * n;
        uniform int temp[256];
        uniform int offset = 1;
        foreach (t = 0 ... n) temp[t] = g[t];
        for (uniform int d = n >> 1; d > 0; d >>= 1) {
            foreach (t = 0 ... d) temp[offset * (2 * t + 2) - 1] += temp[offset * (2 * t + 1) - 1];
            offset *= 2;
        }
        temp[n - 1] = 0;
        for (uniform int d = 1; d < n; d *= 2) {
            offset >>= 1;
            foreach (t = 0 ... d) {
                const int ai = offset * (2 * t + 1) - 1;
                const int bi = offset * (2 * t + 2) - 1;
                const int v = temp[ai];
                temp[ai] = temp[bi];
                temp[bi] += v;
            }
        }
        foreach (t = 0 ... n) g[t] = temp[t];
    }
}

export void scan_blelloch_expert(uniform int data[], uniform int nx, uniform int ny, uniform int nz) {
    for (uniform int group = 0; group < nx / 128; group++) {
        uniform int carry = 0;
        for (uniform int from = group * 256; from < (group + 1) * 256; from += programCount) {
            const int v = data[from + programIndex];
            data[from + programIndex] = exclusive_scan_add(v) + carry;
            carry += reduce_add(v);
        }
    }
}
