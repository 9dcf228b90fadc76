// Roots of z^3 = 1 that Newton's method finds, and after how many steps.
typedef struct { float re, im; } complex_t;

static complex_t c_mul(complex_t a, complex_t b) {
    complex_t r = {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
    return r;
}
static complex_t c_div(complex_t a, complex_t b) {
    float d = b.re * b.re + b.im * b.im;
    complex_t r = {(a.re * b.re + a.im * b.im) / d, (a.im * b.re - a.re * b.im) / d};
    return r;
}

kernel void newton(global int* out, int w, int h) {
    int px = get_global_id(0), py = get_global_id(1);
    complex_t z = {3.0f * px / w - 1.5f, 3.0f * py / h - 1.5f};
    int k;
    for (k = 0; k < 40; k++) {
        complex_t z2 = c_mul(z, z), z3 = c_mul(z2, z);
        complex_t f = {z3.re - 1.0f, z3.im}, df = {3.0f * z2.re, 3.0f * z2.im};
        if (f.re * f.re + f.im * f.im < 1e-6f) break;
        complex_t q = c_div(f, df);
        z.re -= q.re;
        z.im -= q.im;
    }
    out[py * w + px] = k;
}
