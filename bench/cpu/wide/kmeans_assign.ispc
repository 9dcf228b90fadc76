export void kmeans_assign(uniform float feature[], uniform float clusters[], uniform int membership[],
                          uniform int npoints, uniform int nclusters, uniform int nfeatures, uniform int nx,
                          uniform int ny, uniform int nz) {
    foreach (p = 0 ... npoints) {
        float min_dist = 3.40282347e+38f;
        int index = 0;
        for (uniform int i = 0; i < nclusters; i++) {
            float ans = 0;
            for (uniform int l = 0; l < nfeatures; l++) {
                const float d = feature[l * npoints + p] - clusters[i * nfeatures + l];
                ans += d * d;
            }
            if (ans < min_dist) {
                min_dist = ans;
                index = i;
            }
        }
        membership[p] = index;
    }
}
