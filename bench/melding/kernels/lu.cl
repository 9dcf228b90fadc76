// The perimeter of a block of an LU decomposition: one half of the group takes a row of it, the other a column.
#define N 16
kernel void lu_perimeter(global float* a, int size) {
    local float diagonal[N][N], row[N][N], column[N][N];
    int t = get_local_id(0), group = get_group_id(0) + 1;
    if (t < N) {
        for (int i = 0; i < N; i++) diagonal[i][t] = a[i * size + t];
        for (int i = 0; i < N; i++) row[i][t] = a[i * size + group * N + t];
        for (int i = 0; i < N; i++) column[i][t] = a[(group * N + i) * size + t];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t < N) {
        for (int i = 1; i < N; i++)
            for (int k = 0; k < i; k++) row[i][t] -= diagonal[i][k] * row[k][t];
    } else {
        int c = t - N;
        for (int i = 0; i < N; i++) {
            for (int k = 0; k < i; k++) column[c][i] -= column[c][k] * diagonal[k][i];
            column[c][i] /= diagonal[i][i];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t < N) {
        for (int i = 1; i < N; i++) a[i * size + group * N + t] = row[i][t];
    } else {
        int c = t - N;
        for (int i = 0; i < N; i++) a[(group * N + i) * size + c] = column[i][c];
    }
}
