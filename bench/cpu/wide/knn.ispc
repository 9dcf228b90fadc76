#define K 4
export void knn(uniform const float queries[], uniform const float points[], uniform int index[], uniform int m,
                uniform int nx, uniform int ny, uniform int nz) {
    foreach (id = 0 ... nx) {
        const float qx = queries[2 * id];
        const float qy = queries[2 * id + 1];
        float best[K];
        int which[K];
        for (uniform int k = 0; k < K; k++) {
            best[k] = 3.40282347e+38f;
            which[k] = -1;
        }
        for (uniform int j = 0; j < m; j++) {
            const float dx = points[2 * j] - qx;
            const float dy = points[2 * j + 1] - qy;
            const float d = dx * dx + dy * dy;
            if (d >= best[K - 1]) continue;
            int at = K - 1;
            while (at > 0 && best[at - 1] > d) {
                best[at] = best[at - 1];
                which[at] = which[at - 1];
                at--;
            }
            best[at] = d;
            which[at] = j;
        }
        for (uniform int k = 0; k < K; k++) index[id * K + k] = which[k];
    }
}

// Insertion without branches, by exchanges.
export void knn_expert(uniform const float queries[], uniform const float points[], uniform int index[], uniform int m,
                       uniform int nx, uniform int ny, uniform int nz) {
    foreach (id = 0 ... nx) {
        const float qx = queries[2 * id];
        const float qy = queries[2 * id + 1];
        float best[K];
        int which[K];
        for (uniform int k = 0; k < K; k++) {
            best[k] = 3.40282347e+38f;
            which[k] = -1;
        }
        for (uniform int j = 0; j < m; j++) {
            const float dx = points[2 * j] - qx;
            const float dy = points[2 * j + 1] - qy;
            float d = dx * dx + dy * dy;
            int w = j;
            cif (d < best[K - 1]) {
                for (uniform int k = 0; k < K; k++) {
                    const bool closer = d < best[k];
                    const float b = best[k];
                    const int i = which[k];
                    best[k] = closer ? d : b;
                    which[k] = closer ? w : i;
                    d = closer ? b : d;
                    w = closer ? i : w;
                }
            }
        }
        for (uniform int k = 0; k < K; k++) index[id * K + k] = which[k];
    }
}
