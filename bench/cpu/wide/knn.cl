// The four nearest points of each query, nearest first.
#define K 4

kernel void knn(global const float2* queries, global const float2* points, global int* index, int m) {
    const int id = get_global_id(0);
    const float2 q = queries[id];
    float best[K];
    int which[K];
    for (int k = 0; k < K; k++) best[k] = FLT_MAX, which[k] = -1;
    for (int j = 0; j < m; j++) {
        const float dx = points[j].x - q.x, dy = points[j].y - q.y;
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
    for (int k = 0; k < K; k++) index[id * K + k] = which[k];
}
