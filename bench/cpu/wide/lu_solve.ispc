#define N 8
export void lu_solve(uniform const float A[], uniform const float b[], uniform float x[], uniform int n,
                     uniform int nx, uniform int ny, uniform int nz) {
    foreach (id = 0 ... nx) {
        float m[N][N + 1];
        for (uniform int i = 0; i < N; i++) {
            for (uniform int j = 0; j < N; j++) m[i][j] = A[(i * N + j) * n + id];
            m[i][i] += 2.0f;
            m[i][N] = b[i * n + id];
        }
        for (uniform int k = 0; k < N; k++) {
            int pivot = k;
            for (uniform int i = k + 1; i < N; i++)
                if (abs(m[i][k]) > abs(m[pivot][k])) pivot = i;
            if (pivot != k)
                for (uniform int j = k; j <= N; j++) {
                    const float t = m[k][j];
                    m[k][j] = m[pivot][j];
                    m[pivot][j] = t;
                }
            for (uniform int i = k + 1; i < N; i++) {
                const float factor = m[i][k] / m[k][k];
                for (uniform int j = k; j <= N; j++) m[i][j] -= factor * m[k][j];
            }
        }
        for (uniform int i = N - 1; i >= 0; i--) {
            float s = m[i][N];
            for (uniform int j = i + 1; j < N; j++) s -= m[i][j] * m[j][N];
            m[i][N] = s / m[i][i];
            x[i * n + id] = m[i][N];
        }
    }
}
