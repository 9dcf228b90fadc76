export void histogram_global(uniform const float values[], uniform int bins[], uniform int n, uniform int nx,
                             uniform int ny, uniform int nz) {
    foreach (i = 0 ... n) {
        const int b = (int)(values[i] * values[i] * 64.0f);
        atomic_add_global(&bins[clamp(b, 0, 63)], 1);
    }
}

// A table for each lane.
export void histogram_global_expert(uniform const float values[], uniform int bins[], uniform int n, uniform int nx,
                                    uniform int ny, uniform int nz) {
    int mine[64];
    for (uniform int b = 0; b < 64; b++) mine[b] = 0;
    foreach (i = 0 ... n) {
        const int b = (int)(values[i] * values[i] * 64.0f);
        mine[clamp(b, 0, 63)]++;
    }
    for (uniform int b = 0; b < 64; b++) bins[b] += reduce_add(mine[b]);
}
