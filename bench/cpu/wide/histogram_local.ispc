export void histogram_local(uniform const unsigned int data[], uniform unsigned int bins[],
                            uniform unsigned int words_per_item, uniform int nx, uniform int ny, uniform int nz) {
    uniform unsigned int mine[256];
    foreach (b = 0 ... 256) mine[b] = 0;
    foreach (i = 0 ... nx * (uniform int)words_per_item) {
        const unsigned int word = data[i];
        atomic_add_local(&mine[word & 0xff], 1);
        atomic_add_local(&mine[(word >> 8) & 0xff], 1);
        atomic_add_local(&mine[(word >> 16) & 0xff], 1);
        atomic_add_local(&mine[word >> 24], 1);
    }
    foreach (b = 0 ... 256) bins[b] += mine[b];
}

// Four tables, so that equal bytes in a row do not wait for each other, and scalar increments.
export void histogram_local_expert(uniform const unsigned int data[], uniform unsigned int bins[],
                                   uniform unsigned int words_per_item, uniform int nx, uniform int ny,
                                   uniform int nz) {
    uniform unsigned int mine[4 * 256];
    foreach (b = 0 ... 4 * 256) mine[b] = 0;
    for (uniform int i = 0; i < nx * (uniform int)words_per_item; i++) {
        const uniform unsigned int word = data[i];
        mine[word & 0xff]++;
        mine[256 + ((word >> 8) & 0xff)]++;
        mine[512 + ((word >> 16) & 0xff)]++;
        mine[768 + (word >> 24)]++;
    }
    foreach (b = 0 ... 256) bins[b] += mine[b] + mine[256 + b] + mine[512 + b] + mine[768 + b];
}
