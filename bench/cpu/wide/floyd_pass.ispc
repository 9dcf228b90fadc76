export void floyd_pass(uniform unsigned int dist[], uniform unsigned int path[], uniform unsigned int width,
                       uniform unsigned int pass, uniform int nx, uniform int ny, uniform int nz) {
    const uniform int w = width;
    const uniform int k = pass;
    for (uniform int y = 0; y < ny; y++) {
        const uniform int to_k = dist[y * w + k];
        foreach (x = 0 ... nx) {
            const int through = to_k + (int)dist[k * w + x];
            if (through < (int)dist[y * w + x]) {
                dist[y * w + x] = through;
                path[y * w + x] = k;
            }
        }
    }
}
