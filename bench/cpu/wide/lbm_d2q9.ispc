#define Q 9
static const uniform int CX[Q] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
static const uniform int CY[Q] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
static const uniform int OPPOSITE[Q] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
static const uniform float WEIGHT[Q] = {4.0f / 9,  1.0f / 9,  1.0f / 9,  1.0f / 9, 1.0f / 9,
                                        1.0f / 36, 1.0f / 36, 1.0f / 36, 1.0f / 36};

export void lbm_d2q9(uniform const float f[], uniform float g[], uniform const uint8 solid[], uniform int w,
                     uniform int h, uniform float omega, uniform int nx, uniform int ny, uniform int nz) {
    const uniform int cells = w * h;
    for (uniform int y = 0; y < h; y++)
        foreach (x = 0 ... w) {
            const int here = y * w + x;
            float fi[Q];
            for (uniform int i = 0; i < Q; i++) {
                const int xs = (x - CX[i] + w) % w;
                const uniform int ys = (y - CY[i] + h) % h;
                fi[i] = f[i * cells + ys * w + xs];
            }
            if (solid[here] == 0) {
                for (uniform int i = 0; i < Q; i++) g[i * cells + here] = fi[OPPOSITE[i]];
            } else {
                float rho = 0;
                float ux = 0;
                float uy = 0;
                for (uniform int i = 0; i < Q; i++) {
                    rho += fi[i];
                    ux += CX[i] * fi[i];
                    uy += CY[i] * fi[i];
                }
                ux /= rho;
                uy /= rho;
                const float usq = 1.5f * (ux * ux + uy * uy);
                for (uniform int i = 0; i < Q; i++) {
                    const float cu = 3.0f * (CX[i] * ux + CY[i] * uy);
                    const float feq = WEIGHT[i] * rho * (1.0f + cu + 0.5f * cu * cu - usq);
                    g[i * cells + here] = fi[i] + omega * (feq - fi[i]);
                }
            }
        }
}
