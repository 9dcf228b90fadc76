// A x = b for a matrix of 8 by 8 for each work-item; elements of one place are side by side in memory.
#define N 8

void swap(float* a, float* b) {
    float t = *a;
    *a = *b;
    *b = t;
}

__kernel void lu_solve(__global const float* A, __global const float* b, __global float* x, int n) {
    const int id = get_global_id(0);
    float m[N][N + 1];
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) m[i][j] = A[(i * N + j) * n + id];
        m[i][i] += 2.0f;
        m[i][N] = b[i * n + id];
    }
    for (int k = 0; k < N; k++) {
        int pivot = k;
        for (int i = k + 1; i < N; i++)
            if (fabs(m[i][k]) > fabs(m[pivot][k])) pivot = i;
        if (pivot != k)
            for (int j = k; j <= N; j++) swap(&m[k][j], &m[pivot][j]);
        for (int i = k + 1; i < N; i++) {
            const float factor = m[i][k] / m[k][k];
            for (int j = k; j <= N; j++) m[i][j] -= factor * m[k][j];
        }
    }
    for (int i = N - 1; i >= 0; i--) {
        float s = m[i][N];
        for (int j = i + 1; j < N; j++) s -= m[i][j] * m[j][N];
        m[i][N] = s / m[i][i];
        x[i * n + id] = m[i][N];
    }
}
