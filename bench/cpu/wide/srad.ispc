static inline float coefficient(float Jc, float dN, float dS, float dW, float dE, uniform float q0sqr) {
    const float G2 = (dN * dN + dS * dS + dW * dW + dE * dE) / (Jc * Jc);
    const float L = (dN + dS + dW + dE) / Jc;
    const float num = (0.5f * G2) - ((1.0f / 16.0f) * (L * L));
    float den = 1 + (0.25f * L);
    const float qsqr = num / (den * den);
    den = (qsqr - q0sqr) / (q0sqr * (1 + q0sqr));
    return clamp(1.0f / (1.0f + den), 0.0f, 1.0f);
}

export void srad(uniform const int iN[], uniform const int iS[], uniform const int jE[], uniform const int jW[],
                 uniform const float I[], uniform float c[], uniform int rows, uniform int cols, uniform float q0sqr,
                 uniform int nx, uniform int ny, uniform int nz) {
    foreach (ei = 0 ... rows * cols) {
        const int row = ei % rows;
        const int col = ei / rows;
        const float Jc = I[ei];
        c[ei] = coefficient(Jc, I[iN[row] + rows * col] - Jc, I[iS[row] + rows * col] - Jc,
                            I[row + rows * jW[col]] - Jc, I[row + rows * jE[col]] - Jc, q0sqr);
    }
}

// Columns are uniform, and so are their neighbours.
export void srad_expert(uniform const int iN[], uniform const int iS[], uniform const int jE[], uniform const int jW[],
                        uniform const float I[], uniform float c[], uniform int rows, uniform int cols,
                        uniform float q0sqr, uniform int nx, uniform int ny, uniform int nz) {
    for (uniform int col = 0; col < cols; col++) {
        uniform const float* uniform here = I + rows * col;
        foreach (row = 0 ... rows) {
            const float Jc = here[row];
            c[rows * col + row] = coefficient(Jc, here[iN[row]] - Jc, here[iS[row]] - Jc, I[row + rows * jW[col]] - Jc,
                                              I[row + rows * jE[col]] - Jc, q0sqr);
        }
    }
}
