export void bitonic(uniform unsigned int data[], uniform int nx, uniform int ny, uniform int nz) {
    for (uniform int g = 0; g < nx / 256; g++) {
        uniform unsigned int* uniform mine = data + g * 512;
        uniform unsigned int block[512];
        foreach (t = 0 ... 512) block[t] = mine[t];
        for (uniform int size = 2; size <= 512; size *= 2)
            for (uniform int stride = size / 2; stride > 0; stride /= 2)
                foreach (t = 0 ... 256) {
                    const int low = 2 * t - (t & (stride - 1));
                    const unsigned int a = block[low];
                    const unsigned int b = block[low + stride];
                    if ((a > b) == ((low & size) == 0)) {
                        block[low] = b;
                        block[low + stride] = a;
                    }
                }
        foreach (t = 0 ... 512) mine[t] = block[t];
    }
}
