// The coefficient of speckle reducing anisotropic diffusion, columns first.
__kernel void srad(__global const int* iN, __global const int* iS, __global const int* jE, __global const int* jW,
                   __global const float* I, __global float* c, int rows, int cols, float q0sqr) {
    int ei = get_global_id(0);
    if (ei < rows * cols) {
        int row = (ei + 1) % rows - 1;
        int col = (ei + 1) / rows + 1 - 1;
        if ((ei + 1) % rows == 0) {
            row = rows - 1;
            col = col - 1;
        }
        float Jc = I[ei];
        float dN = I[iN[row] + rows * col] - Jc;
        float dS = I[iS[row] + rows * col] - Jc;
        float dW = I[row + rows * jW[col]] - Jc;
        float dE = I[row + rows * jE[col]] - Jc;
        float G2 = (dN * dN + dS * dS + dW * dW + dE * dE) / (Jc * Jc);
        float L = (dN + dS + dW + dE) / Jc;
        float num = (0.5f * G2) - ((1.0f / 16.0f) * (L * L));
        float den = 1 + (0.25f * L);
        float qsqr = num / (den * den);
        den = (qsqr - q0sqr) / (q0sqr * (1 + q0sqr));
        float c_loc = 1.0f / (1.0f + den);
        if (c_loc < 0) c_loc = 0;
        else if (c_loc > 1) c_loc = 1;
        c[ei] = c_loc;
    }
}
