struct Complex { float re, im; };
static inline Complex c_mul(Complex a, Complex b) {
    Complex r = {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
    return r;
}
static inline Complex c_div(Complex a, Complex b) {
    float d = b.re * b.re + b.im * b.im;
    Complex r = {(a.re * b.re + a.im * b.im) / d, (a.im * b.re - a.re * b.im) / d};
    return r;
}

export void newton(uniform int out[], uniform int w, uniform int h, uniform int nx, uniform int ny, uniform int nz) {
    foreach (py = 0 ... h, px = 0 ... w) {
        Complex z = {3.0f * px / w - 1.5f, 3.0f * py / h - 1.5f};
        int k;
        for (k = 0; k < 40; k++) {
            Complex z2 = c_mul(z, z);
            Complex z3 = c_mul(z2, z);
            Complex f = {z3.re - 1.0f, z3.im};
            Complex df = {3.0f * z2.re, 3.0f * z2.im};
            if (f.re * f.re + f.im * f.im < 1e-6f) break;
            Complex q = c_div(f, df);
            z.re -= q.re;
            z.im -= q.im;
        }
        out[py * w + px] = k;
    }
}
