// Lattice Boltzmann in two dimensions: pull, collide or bounce.
#define Q 9
__constant int CX[Q] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
__constant int CY[Q] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
__constant int OPPOSITE[Q] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
__constant float WEIGHT[Q] = {4.0f / 9,  1.0f / 9,  1.0f / 9,  1.0f / 9, 1.0f / 9,
                              1.0f / 36, 1.0f / 36, 1.0f / 36, 1.0f / 36};

__kernel void lbm_d2q9(__global const float* f, __global float* g, __global const uchar* solid, int w, int h,
                       float omega) {
    const int x = get_global_id(0), y = get_global_id(1), cells = w * h, here = y * w + x;
    float fi[Q];
    for (int i = 0; i < Q; i++) {
        const int xs = (x - CX[i] + w) % w, ys = (y - CY[i] + h) % h;
        fi[i] = f[i * cells + ys * w + xs];
    }
    if (solid[here] == 0) {
        for (int i = 0; i < Q; i++) g[i * cells + here] = fi[OPPOSITE[i]];
        return;
    }
    float rho = 0, ux = 0, uy = 0;
    for (int i = 0; i < Q; i++) {
        rho += fi[i];
        ux += CX[i] * fi[i];
        uy += CY[i] * fi[i];
    }
    ux /= rho;
    uy /= rho;
    const float usq = 1.5f * (ux * ux + uy * uy);
    for (int i = 0; i < Q; i++) {
        const float cu = 3.0f * (CX[i] * ux + CY[i] * uy);
        const float feq = WEIGHT[i] * rho * (1.0f + cu + 0.5f * cu * cu - usq);
        g[i * cells + here] = fi[i] + omega * (feq - fi[i]);
    }
}
