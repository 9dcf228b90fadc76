// SPDX-License-Identifier: Apache-2.0
// Written by fit.py, which says what each of these is for.
// Error 2^-23.2 of the function, for -0.35 to 0.35.
float exp_poly_f32(float x) {
    float p = 0x1.0f9c22p-7f;
    p = fma(p, x, 0x1.574402p-5f);
    p = fma(p, x, 0x1.555aaep-3f);
    p = fma(p, x, 0x1.fffdaep-2f);
    p = fma(p, x, 0x1.fffff6p-1f);
    return p;
}
// Error 2^-23.1 of the function, for -0.505 to 0.505.
float exp2_poly_f32(float x) {
    float p = 0x1.5baaap-10f;
    p = fma(p, x, 0x1.3cf378p-7f);
    p = fma(p, x, 0x1.c6b7acp-5f);
    p = fma(p, x, 0x1.ebf9a6p-3f);
    p = fma(p, x, 0x1.62e428p-1f);
    return p;
}
// Error 2^-23.2 of the function, for -0.152 to 0.152.
float exp10_poly_f32(float x) {
    float p = 0x1.12b0fp-1f;
    p = fma(p, x, 0x1.2d89cep+0f);
    p = fma(p, x, 0x1.04746cp+1f);
    p = fma(p, x, 0x1.5350c4p+1f);
    p = fma(p, x, 0x1.26bb16p+1f);
    return p;
}
// Error 2^-25.6 of the function, for -0.51 to 0.51.
float pow_poly_f32(float x) {
    float p = 0x1.41f06ap-13f;
    p = fma(p, x, 0x1.5f4fccp-10f);
    p = fma(p, x, 0x1.3b2d84p-7f);
    p = fma(p, x, 0x1.c6aec6p-5f);
    p = fma(p, x, 0x1.ebfbdcp-3f);
    p = fma(p, x, 0x1.62e43p-1f);
    return p;
}
// Error 2^-28.7 of the function, for -0.35 to 0.35.
float expm1_poly_f32(float x) {
    float p = 0x1.a031b8p-13f;
    p = fma(p, x, 0x1.6d78ep-10f);
    p = fma(p, x, 0x1.11119p-7f);
    p = fma(p, x, 0x1.5554aap-5f);
    p = fma(p, x, 0x1.555554p-3f);
    p = fma(p, x, 0x1p-1f);
    return p;
}
// Error 2^-24.8 of the function, for -0.2929 to 0.4142.
float log_poly_f32(float x) {
    float p = 0x1.6456a4p-4f;
    p = fma(p, x, -0x1.2430ecp-3f);
    p = fma(p, x, 0x1.3174eap-3f);
    p = fma(p, x, -0x1.53828ap-3f);
    p = fma(p, x, 0x1.98d7ecp-3f);
    p = fma(p, x, -0x1.00038p-2f);
    p = fma(p, x, 0x1.5556d8p-2f);
    return p;
}
// Error 2^-24.8 of the function, for -0.2929 to 0.4142.
float log2_poly_f32(float x) {
    float p = 0x1.02029p-3f;
    p = fma(p, x, -0x1.a6ae7ep-3f);
    p = fma(p, x, 0x1.b8c67cp-3f);
    p = fma(p, x, -0x1.e99bbep-3f);
    p = fma(p, x, 0x1.26e774p-2f);
    p = fma(p, x, -0x1.715b0ap-2f);
    p = fma(p, x, 0x1.ec72f2p-2f);
    p = fma(p, x, -0x1.715472p-1f);
    return p;
}
// Error 2^-24.9 of the function, for -0.2929 to 0.4142.
float log10_poly_f32(float x) {
    float p = 0x1.36acccp-5f;
    p = fma(p, x, -0x1.fcf59ap-5f);
    p = fma(p, x, 0x1.095f8ap-4f);
    p = fma(p, x, -0x1.26c60ap-4f);
    p = fma(p, x, 0x1.631996p-4f);
    p = fma(p, x, -0x1.bcbf9cp-4f);
    p = fma(p, x, 0x1.287bdcp-3f);
    p = fma(p, x, -0x1.bcb7acp-3f);
    return p;
}
// Error 2^-28.1 of the function, for -0.2929 to 0.4142.
float pow_log_poly_f32(float x) {
    float p = 0x1.14413ap-4f;
    p = fma(p, x, -0x1.dcb8e8p-4f);
    p = fma(p, x, 0x1.e61b04p-4f);
    p = fma(p, x, -0x1.fc5a7cp-4f);
    p = fma(p, x, 0x1.234c06p-3f);
    p = fma(p, x, -0x1.555b3ep-3f);
    p = fma(p, x, 0x1.99a372p-3f);
    p = fma(p, x, -0x1.000008p-2f);
    p = fma(p, x, 0x1.55554ap-2f);
    return p;
}
// Error 2^-27.2 of the function, for 0 to 0.6292.
float sin_poly_f32(float x) {
    float p = -0x1.992c2ap-13f;
    p = fma(p, x, 0x1.1106fcp-7f);
    p = fma(p, x, -0x1.555544p-3f);
    return p;
}
// Error 2^-30.5 of the function, for 0 to 0.6292.
float cos_poly_f32(float x) {
    float p = 0x1.9a4c14p-16f;
    p = fma(p, x, -0x1.6c0ddap-10f);
    p = fma(p, x, 0x1.55554ep-5f);
    return p;
}
// Error 2^-25.1 of the function, for 0 to 0.6292.
float tan_poly_f32(float x) {
    float p = 0x1.39088ep-7f;
    p = fma(p, x, 0x1.7740a2p-9f);
    p = fma(p, x, 0x1.927e1ep-6f);
    p = fma(p, x, 0x1.b55204p-5f);
    p = fma(p, x, 0x1.112e4ap-3f);
    p = fma(p, x, 0x1.5554e8p-2f);
    return p;
}
// Error 2^-25.1 of the function, for 0 to 1.
float atan_poly_f32(float x) {
    float p = 0x1.9c5d16p-9f;
    p = fma(p, x, -0x1.1b409p-6f);
    p = fma(p, x, 0x1.6e8cc4p-5f);
    p = fma(p, x, -0x1.3acfdp-4f);
    p = fma(p, x, 0x1.b789e6p-4f);
    p = fma(p, x, -0x1.236542p-3f);
    p = fma(p, x, 0x1.9984c2p-3f);
    p = fma(p, x, -0x1.555524p-2f);
    return p;
}
// Error 2^-27.3 of the function, for 0 to 0.25.
float asin_poly_f32(float x) {
    float p = 0x1.58e3d4p-5f;
    p = fma(p, x, 0x1.8ce8d2p-6f);
    p = fma(p, x, 0x1.746626p-5f);
    p = fma(p, x, 0x1.330328p-4f);
    p = fma(p, x, 0x1.5555c2p-3f);
    return p;
}
// Error 2^-27.2 of the function, for 0 to 1.
float sinh_poly_f32(float x) {
    float p = 0x1.7a26d8p-19f;
    p = fma(p, x, 0x1.9ffe1p-13f);
    p = fma(p, x, 0x1.111136p-7f);
    p = fma(p, x, 0x1.555556p-3f);
    return p;
}
// Error 2^-27.3 of the function, for 0 to 0.4.
float tanh_poly_f32(float x) {
    float p = -0x1.743362p-8f;
    p = fma(p, x, 0x1.51dc9p-6f);
    p = fma(p, x, -0x1.b83574p-5f);
    p = fma(p, x, 0x1.110722p-3f);
    p = fma(p, x, -0x1.555534p-2f);
    return p;
}
