export void reduce_tree(uniform const float input[], uniform float out[], uniform int nx, uniform int ny,
                        uniform int nz) {
    uniform float scratch[256];
    for (uniform int g = 0; g < nx / 256; g++) {
        foreach (t = 0 ... 256) scratch[t] = input[g * 512 + t] + input[g * 512 + 256 + t];
        for (uniform int s = 128; s > 0; s >>= 1)
            foreach (t = 0 ... s) scratch[t] += scratch[t + s];
        out[g] = scratch[0];
    }
}

export void reduce_tree_expert(uniform const float input[], uniform float out[], uniform int nx, uniform int ny,
                               uniform int nz) {
    for (uniform int g = 0; g < nx / 256; g++) {
        float sum = 0;
        foreach (t = 0 ... 512) sum += input[g * 512 + t];
        out[g] = reduce_add(sum);
    }
}
