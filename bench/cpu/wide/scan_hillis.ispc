export void scan_hillis(uniform const unsigned int input[], uniform unsigned int out[], uniform unsigned int sums[],
                        uniform int nx, uniform int ny, uniform int nz) {
    for (uniform int g = 0; g < nx / 256; g++) {
        uniform unsigned int buffer[2][256];
        uniform int from = 0;
        foreach (l = 0 ... 256) buffer[0][l] = input[g * 256 + l];
        for (uniform int step = 1; step < 256; step *= 2) {
            foreach (l = 0 ... 256) {
                unsigned int v = buffer[from][l];
                if (l >= step) v += buffer[from][l - step];
                buffer[1 - from][l] = v;
            }
            from = 1 - from;
        }
        foreach (l = 0 ... 256) out[g * 256 + l] = buffer[from][l];
        sums[g] = buffer[from][255];
    }
}

export void scan_hillis_expert(uniform const unsigned int input[], uniform unsigned int out[], uniform unsigned int sums[],
                               uniform int nx, uniform int ny, uniform int nz) {
    for (uniform int g = 0; g < nx / 256; g++) {
        uniform int carry = 0;
        for (uniform int from = g * 256; from < (g + 1) * 256; from += programCount) {
            const int v = (int)input[from + programIndex];
            const int inclusive = exclusive_scan_add(v) + v;
            out[from + programIndex] = (unsigned int)(inclusive + carry);
            carry += extract(inclusive, programCount - 1);
        }
        sums[g] = (uniform unsigned int)carry;
    }
}
