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
// Error 2^-31.1 of the function, for -0.135 to 0.165.
float pow_log_poly_f32(float x) {
    float p = -0x1.e1c9ap-4f;
    p = fma(p, x, 0x1.2cdbc6p-3f);
    p = fma(p, x, -0x1.55dff2p-3f);
    p = fma(p, x, 0x1.998268p-3f);
    p = fma(p, x, -0x1.ffff0ep-3f);
    p = fma(p, x, 0x1.55555ep-2f);
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
// Error 2^-25.3 of the function, for 0 to 1.
float atan_poly_f32(float x) {
    float p = 0x1.9c5d36p-9f;
    p = fma(p, x, -0x1.1b40ap-6f);
    p = fma(p, x, 0x1.6e8cdp-5f);
    p = fma(p, x, -0x1.3acfd6p-4f);
    p = fma(p, x, 0x1.b789eap-4f);
    p = fma(p, x, -0x1.236542p-3f);
    p = fma(p, x, 0x1.9984c2p-3f);
    p = fma(p, x, -0x1.555524p-2f);
    return p;
}
// Error 2^-27.3 of the function, for 0 to 0.25.
float asin_poly_f32(float x) {
    float p = 0x1.58e3cep-5f;
    p = fma(p, x, 0x1.8ce8dap-6f);
    p = fma(p, x, 0x1.746624p-5f);
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
    float p = -0x1.74336ep-8f;
    p = fma(p, x, 0x1.51dc94p-6f);
    p = fma(p, x, -0x1.b83576p-5f);
    p = fma(p, x, 0x1.110722p-3f);
    p = fma(p, x, -0x1.555534p-2f);
    return p;
}
// Error 2^-23.8 of the function, for 0 to 1.
float erf_poly_f32(float x) {
    float p = 0x1.496a12p-14f;
    p = fma(p, x, -0x1.a3f71ep-11f);
    p = fma(p, x, 0x1.5405bep-8f);
    p = fma(p, x, -0x1.b7f91p-6f);
    p = fma(p, x, 0x1.ce2cf8p-4f);
    p = fma(p, x, -0x1.81273ep-2f);
    p = fma(p, x, 0x1.20dd74p+0f);
    return p;
}
// Error 2^-24.8 of the function, for -0.61 to 0.69.
float erfc_poly_f32(float x) {
    float p = 0x1.fddd3cp-14f;
    p = fma(p, x, 0x1.f5f69cp-15f);
    p = fma(p, x, -0x1.56f842p-11f);
    p = fma(p, x, -0x1.bb61ep-11f);
    p = fma(p, x, 0x1.94e2dap-9f);
    p = fma(p, x, 0x1.a8b422p-8f);
    p = fma(p, x, -0x1.606dbcp-6f);
    p = fma(p, x, -0x1.2a8912p-5f);
    p = fma(p, x, 0x1.1e2deep-2f);
    p = fma(p, x, -0x1.5fd386p-1f);
    p = fma(p, x, 0x1.058672p+0f);
    return p;
}
// Error 2^-23.5 of the function, for 0 to 1.
float gamma_poly_f32(float x) {
    float p = -0x1.90928cp-6f;
    p = fma(p, x, 0x1.280c2ep-3f);
    p = fma(p, x, -0x1.937ff4p-2f);
    p = fma(p, x, 0x1.5c75bap-1f);
    p = fma(p, x, -0x1.bd8716p-1f);
    p = fma(p, x, 0x1.e963c8p-1f);
    p = fma(p, x, -0x1.cecd0ap-1f);
    p = fma(p, x, 0x1.fa43fep-1f);
    p = fma(p, x, -0x1.2787dep-1f);
    p = fma(p, x, 0x1.fffffep-1f);
    return p;
}
// Error 2^-31.6 of the function, for 0 to 0.125.
float stirling_poly_f32(float x) {
    float p = 0x1.bd963p-17f;
    p = fma(p, x, -0x1.62e5acp-9f);
    p = fma(p, x, 0x1.c7439ap-9f);
    p = fma(p, x, 0x1.55555p-4f);
    p = fma(p, x, 0x1p+0f);
    return p;
}
// Error 2^-24.9 of the function, for 0 to 0.01562.
float log_stirling_poly_f32(float x) {
    float p = 0x1.98f994p-11f;
    p = fma(p, x, -0x1.6c141cp-9f);
    p = fma(p, x, 0x1.555556p-4f);
    return p;
}
// Error 2^-25.7 of the function, for 0 to 1.
float log_gamma_poly_f32(float x) {
    float p = -0x1.901b5p-10f;
    p = fma(p, x, 0x1.314ce4p-7f);
    p = fma(p, x, -0x1.b497dep-6f);
    p = fma(p, x, 0x1.94ab7ep-5f);
    p = fma(p, x, -0x1.2288bp-4f);
    p = fma(p, x, 0x1.739aa2p-4f);
    p = fma(p, x, -0x1.d6c3eep-4f);
    p = fma(p, x, 0x1.3e4c22p-3f);
    p = fma(p, x, -0x1.f6461ep-3f);
    p = fma(p, x, 0x1.2788dp-1f);
    return p;
}
// Error 2^-25.1 of the function, for 0 to 0.6292.
float tan_poly_f32(float x) {
    float p = 0x1.390894p-7f;
    p = fma(p, x, 0x1.77407cp-9f);
    p = fma(p, x, 0x1.927e22p-6f);
    p = fma(p, x, 0x1.b55204p-5f);
    p = fma(p, x, 0x1.112e4ap-3f);
    p = fma(p, x, 0x1.5554e8p-2f);
    return p;
}
// Error 2^-56.1 of the function, for -0.35 to 0.35.
double exp_poly_f64(double x) {
    double p = 0x1.ad53edcc4b607p-26;
    p = fma(p, x, 0x1.28b3acd28be4p-22);
    p = fma(p, x, 0x1.71df53f84445ap-19);
    p = fma(p, x, 0x1.a0199308f9fcap-16);
    p = fma(p, x, 0x1.a01a0108e6219p-13);
    p = fma(p, x, 0x1.6c16c186e971bp-10);
    p = fma(p, x, 0x1.111111113213fp-7);
    p = fma(p, x, 0x1.555555554faa1p-5);
    p = fma(p, x, 0x1.55555555554a2p-3);
    p = fma(p, x, 0x1.000000000000cp-1);
    p = fma(p, x, 0x1p+0);
    return p;
}
// Error 2^-54.6 of the function, for -0.505 to 0.505.
double exp2_poly_f64(double x) {
    double p = 0x1.e79567e412fbp-32;
    p = fma(p, x, 0x1.e621f982ff7e7p-28);
    p = fma(p, x, 0x1.b5268a16ad41cp-24);
    p = fma(p, x, 0x1.62bfc3f17ff32p-20);
    p = fma(p, x, 0x1.ffcbfb9e911e5p-17);
    p = fma(p, x, 0x1.4309131038e4fp-13);
    p = fma(p, x, 0x1.5d87fe78d0b46p-10);
    p = fma(p, x, 0x1.3b2ab6fb9fab7p-7);
    p = fma(p, x, 0x1.c6b08d7049fd1p-5);
    p = fma(p, x, 0x1.ebfbdff82c5a7p-3);
    p = fma(p, x, 0x1.62e42fefa39efp-1);
    return p;
}
// Error 2^-54.6 of the function, for -0.152 to 0.152.
double exp10_poly_f64(double x) {
    double p = 0x1.f98f243c1f353p-13;
    p = fma(p, x, 0x1.2f78856ce4d1dp-10);
    p = fma(p, x, 0x1.4898be70d1ecbp-8);
    p = fma(p, x, 0x1.41165b14da1cap-6);
    p = fma(p, x, 0x1.16e4df5df0118p-4);
    p = fma(p, x, 0x1.a7ed70a3b1749p-3);
    p = fma(p, x, 0x1.1429ffd1f6311p-1);
    p = fma(p, x, 0x1.2bd7609fd492cp+0);
    p = fma(p, x, 0x1.0470591de2c1cp+1);
    p = fma(p, x, 0x1.53524c73cea79p+1);
    p = fma(p, x, 0x1.26bb1bbb55516p+1);
    return p;
}
// Error 2^-54.6 of the function, for -0.51 to 0.51.
double pow_poly_f64(double x) {
    double p = 0x1.e78f568291dedp-32;
    p = fma(p, x, 0x1.e628b20510609p-28);
    p = fma(p, x, 0x1.b52697650823ep-24);
    p = fma(p, x, 0x1.62bfc02ac9472p-20);
    p = fma(p, x, 0x1.ffcbfb9349517p-17);
    p = fma(p, x, 0x1.43091311aa4c9p-13);
    p = fma(p, x, 0x1.5d87fe78d4288p-10);
    p = fma(p, x, 0x1.3b2ab6fb9f3e2p-7);
    p = fma(p, x, 0x1.c6b08d7049fb8p-5);
    p = fma(p, x, 0x1.ebfbdff82c5a9p-3);
    p = fma(p, x, 0x1.62e42fefa39efp-1);
    return p;
}
// Error 2^-59.4 of the function, for -0.35 to 0.35.
double expm1_poly_f64(double x) {
    double p = 0x1.6127e24f45c29p-33;
    p = fma(p, x, 0x1.1f8dd409992f2p-29);
    p = fma(p, x, 0x1.ae649c4f4ebe9p-26);
    p = fma(p, x, 0x1.27e4ca9aa8a91p-22);
    p = fma(p, x, 0x1.71de3a3be7cd2p-19);
    p = fma(p, x, 0x1.a01a01ae5f195p-16);
    p = fma(p, x, 0x1.a01a01a021247p-13);
    p = fma(p, x, 0x1.6c16c16c14bccp-10);
    p = fma(p, x, 0x1.1111111111104p-7);
    p = fma(p, x, 0x1.5555555555559p-5);
    p = fma(p, x, 0x1.5555555555555p-3);
    p = fma(p, x, 0x1p-1);
    return p;
}
// Error 2^-58.4 of the function, for -0.2929 to 0.4142.
double log_poly_f64(double x) {
    double p = 0x1.71028d3a0474fp-6;
    p = fma(p, x, -0x1.ba3619c99aa84p-5);
    p = fma(p, x, 0x1.ee10df2302ea3p-5);
    p = fma(p, x, -0x1.a8b20b3011834p-5);
    p = fma(p, x, 0x1.9c7aeca60b707p-5);
    p = fma(p, x, -0x1.c124ca852b6f7p-5);
    p = fma(p, x, 0x1.e375a3fab314bp-5);
    p = fma(p, x, -0x1.0065f6cd06f85p-4);
    p = fma(p, x, 0x1.11096b69d491ep-4);
    p = fma(p, x, -0x1.248aeb6fce083p-4);
    p = fma(p, x, 0x1.3b13aeb61250ap-4);
    p = fma(p, x, -0x1.5555a66bc239fp-4);
    p = fma(p, x, 0x1.745d1a4821459p-4);
    p = fma(p, x, -0x1.9999978206e4ap-4);
    p = fma(p, x, 0x1.c71c71ab8fa02p-4);
    p = fma(p, x, -0x1.00000003f0b7ap-3);
    p = fma(p, x, 0x1.24924924c5d04p-3);
    p = fma(p, x, -0x1.555555554df22p-3);
    p = fma(p, x, 0x1.999999999950ap-3);
    p = fma(p, x, -0x1.0000000000026p-2);
    p = fma(p, x, 0x1.5555555555556p-2);
    return p;
}
// Error 2^-65.1 of the function, for -0.0325 to 0.0325.
double pow_log_poly_f64(double x) {
    double p = 0x1.7550fcca73b73p-4;
    p = fma(p, x, -0x1.9a88c98473693p-4);
    p = fma(p, x, 0x1.c71c2c6a0b979p-4);
    p = fma(p, x, -0x1.ffffc512d68a8p-4);
    p = fma(p, x, 0x1.24924928f46f4p-3);
    p = fma(p, x, -0x1.555555584b062p-3);
    p = fma(p, x, 0x1.99999999995e8p-3);
    p = fma(p, x, -0x1.ffffffffffe6cp-3);
    p = fma(p, x, 0x1.5555555555555p-2);
    return p;
}
// Error 2^-57.7 of the function, for -0.2929 to 0.4142.
double log2_poly_f64(double x) {
    double p = 0x1.0a16edc305a71p-5;
    p = fma(p, x, -0x1.40afddf7170efp-4);
    p = fma(p, x, 0x1.66b8596d13a24p-4);
    p = fma(p, x, -0x1.32a87250b77dep-4);
    p = fma(p, x, 0x1.28b4cf221cfc4p-4);
    p = fma(p, x, -0x1.43aee4d5d32dcp-4);
    p = fma(p, x, 0x1.5cdb98385c0a9p-4);
    p = fma(p, x, -0x1.71f859e4d3393p-4);
    p = fma(p, x, 0x1.89e6e61195fa6p-4);
    p = fma(p, x, -0x1.a60af3b1343a2p-4);
    p = fma(p, x, 0x1.c68f556daac73p-4);
    p = fma(p, x, -0x1.ec712fcafca7fp-4);
    p = fma(p, x, 0x1.0c9a875a2c3a7p-3);
    p = fma(p, x, -0x1.2776c2fed2f09p-3);
    p = fma(p, x, 0x1.484b13bb67124p-3);
    p = fma(p, x, -0x1.7154765ba3edap-3);
    p = fma(p, x, 0x1.a61762a82c62bp-3);
    p = fma(p, x, -0x1.ec709dc38b10fp-3);
    p = fma(p, x, 0x1.2776c50ef9432p-2);
    p = fma(p, x, -0x1.71547652b83b5p-2);
    p = fma(p, x, 0x1.ec709dc3a0402p-2);
    p = fma(p, x, -0x1.71547652b82fep-1);
    return p;
}
// Error 2^-57.7 of the function, for -0.2929 to 0.4142.
double log10_poly_f64(double x) {
    double p = 0x1.40675d021cbb9p-7;
    p = fma(p, x, -0x1.8225462588cfep-6);
    p = fma(p, x, 0x1.aff12ab8124bep-6);
    p = fma(p, x, -0x1.7140c5d6f378ep-6);
    p = fma(p, x, 0x1.65451c969ec6p-6);
    p = fma(p, x, -0x1.85c0ddc92bfbfp-6);
    p = fma(p, x, 0x1.a4110f2c80b9fp-6);
    p = fma(p, x, -0x1.bd7d08dcf36fbp-6);
    p = fma(p, x, 0x1.da4e2209b6abfp-6);
    p = fma(p, x, -0x1.fc30ad69c5e6ap-6);
    p = fma(p, x, 0x1.11ac1dad00ddp-5);
    p = fma(p, x, -0x1.287ace21fadc6p-5);
    p = fma(p, x, 0x1.436e55bb4e60ep-5);
    p = fma(p, x, -0x1.63c624f92fd4dp-5);
    p = fma(p, x, 0x1.8b4df2d1cdde3p-5);
    p = fma(p, x, -0x1.bcb7b15d2c36ep-5);
    p = fma(p, x, 0x1.fc3fa615a8a18p-5);
    p = fma(p, x, -0x1.287a7636e775p-4);
    p = fma(p, x, 0x1.63c6277524775p-4);
    p = fma(p, x, -0x1.bcb7b1526e5ebp-4);
    p = fma(p, x, 0x1.287a7636f4362p-3);
    p = fma(p, x, -0x1.bcb7b1526e50ep-3);
    return p;
}
// Error 2^-57.3 of the function, for 0 to 0.6292.
double sin_poly_f64(double x) {
    double p = -0x1.aaa2c0c7ae33fp-41;
    p = fma(p, x, 0x1.612092c3f1cc1p-33);
    p = fma(p, x, -0x1.ae6452a2d56dap-26);
    p = fma(p, x, 0x1.71de3a534c707p-19);
    p = fma(p, x, -0x1.a01a01a018c8fp-13);
    p = fma(p, x, 0x1.111111111110cp-7);
    p = fma(p, x, -0x1.5555555555555p-3);
    return p;
}
// Error 2^-59.4 of the function, for 0 to 0.6292.
double cos_poly_f64(double x) {
    double p = 0x1.aaf728b4a86c4p-45;
    p = fma(p, x, -0x1.9393b593dc696p-37);
    p = fma(p, x, 0x1.1eed8d2247ad6p-29);
    p = fma(p, x, -0x1.27e4fb767edbfp-22);
    p = fma(p, x, 0x1.a01a01a01969bp-16);
    p = fma(p, x, -0x1.6c16c16c16c15p-10);
    p = fma(p, x, 0x1.5555555555555p-5);
    return p;
}
// Error 2^-56.4 of the function, for 0 to 1.
double atan_poly_f64(double x) {
    double p = 0x1.9fc9d824e2b0ep-18;
    p = fma(p, x, -0x1.41cbab9caa9dfp-14);
    p = fma(p, x, 0x1.da3870ae95b29p-12);
    p = fma(p, x, -0x1.bc9328fc47bf6p-10);
    p = fma(p, x, 0x1.2b90e97c1bcf1p-8);
    p = fma(p, x, -0x1.37c1c80e580a9p-7);
    p = fma(p, x, 0x1.07ed6ce6f29f2p-6);
    p = fma(p, x, -0x1.7bfcaec99aedcp-6);
    p = fma(p, x, 0x1.e4fd9f74ae8c4p-6);
    p = fma(p, x, -0x1.1d7df144fb9b3p-5);
    p = fma(p, x, 0x1.4113d919a5a8cp-5);
    p = fma(p, x, -0x1.62320cd300c48p-5);
    p = fma(p, x, 0x1.859e9a1580ceep-5);
    p = fma(p, x, -0x1.af114cb65f026p-5);
    p = fma(p, x, 0x1.e1de7c88f6b69p-5);
    p = fma(p, x, -0x1.1110e1016fb7p-4);
    p = fma(p, x, 0x1.3b13ad6068a1bp-4);
    p = fma(p, x, -0x1.745d170f6b1fap-4);
    p = fma(p, x, 0x1.c71c71c5361d9p-4);
    p = fma(p, x, -0x1.249249248d9cp-3);
    p = fma(p, x, 0x1.9999999999901p-3);
    p = fma(p, x, -0x1.5555555555555p-2);
    return p;
}
// Error 2^-55.5 of the function, for 0 to 0.25.
double asin_poly_f64(double x) {
    double p = 0x1.00ed6a6af27ap-5;
    p = fma(p, x, -0x1.f7aa6a24d25e7p-7);
    p = fma(p, x, 0x1.366628080e882p-6);
    p = fma(p, x, 0x1.bae218036c08cp-8);
    p = fma(p, x, 0x1.8cdda9531d2e4p-7);
    p = fma(p, x, 0x1.c74ef99e815bep-7);
    p = fma(p, x, 0x1.1c674ec73b282p-6);
    p = fma(p, x, 0x1.6e8a4c0325374p-6);
    p = fma(p, x, 0x1.f1c727ff02a84p-6);
    p = fma(p, x, 0x1.6db6db52176fap-5);
    p = fma(p, x, 0x1.333333335052cp-4);
    p = fma(p, x, 0x1.55555555554f1p-3);
    return p;
}
// Error 2^-56.5 of the function, for 0 to 1.
double sinh_poly_f64(double x) {
    double p = 0x1.9a680ca30b343p-49;
    p = fma(p, x, 0x1.ae75b776fb34dp-41);
    p = fma(p, x, 0x1.61246a7ba7dcp-33);
    p = fma(p, x, 0x1.ae64567502f7ep-26);
    p = fma(p, x, 0x1.71de3a557309cp-19);
    p = fma(p, x, 0x1.a01a01a019fd2p-13);
    p = fma(p, x, 0x1.1111111111111p-7);
    p = fma(p, x, 0x1.5555555555555p-3);
    return p;
}
// Error 2^-56.6 of the function, for 0 to 0.4.
double tanh_poly_f64(double x) {
    double p = 0x1.92759e0fbea03p-18;
    p = fma(p, x, -0x1.f902a5ab7e1f3p-16);
    p = fma(p, x, 0x1.7fbee512a0f9dp-14);
    p = fma(p, x, -0x1.f0ff573a9db19p-13);
    p = fma(p, x, 0x1.350a69e918861p-11);
    p = fma(p, x, -0x1.7d9c2a0912a1p-10);
    p = fma(p, x, 0x1.d6d35be846e4ep-9);
    p = fma(p, x, -0x1.226e32eeae373p-7);
    p = fma(p, x, 0x1.664f48729d57ep-6);
    p = fma(p, x, -0x1.ba1ba1b9e0204p-5);
    p = fma(p, x, 0x1.1111111110e0bp-3);
    p = fma(p, x, -0x1.5555555555554p-2);
    return p;
}
// Error 2^-54.4 of the function, for 0 to 1.
double erf_poly_f64(double x) {
    double p = -0x1.2928e53f721c2p-38;
    p = fma(p, x, 0x1.7ecc02beb62e5p-34);
    p = fma(p, x, -0x1.4e55d1f6f65f9p-30);
    p = fma(p, x, 0x1.fc4118f92e22ap-27);
    p = fma(p, x, -0x1.5f6d6b80be73fp-23);
    p = fma(p, x, 0x1.b9e64d0d9121fp-20);
    p = fma(p, x, -0x1.f4d255e1be07fp-17);
    p = fma(p, x, 0x1.f9a326bfbd7e3p-14);
    p = fma(p, x, -0x1.c02db3fed9305p-11);
    p = fma(p, x, 0x1.565bcd0e64accp-8);
    p = fma(p, x, -0x1.b82ce3128899cp-6);
    p = fma(p, x, 0x1.ce2f21a042bddp-4);
    p = fma(p, x, -0x1.812746b0379e7p-2);
    p = fma(p, x, 0x1.20dd750429b6dp+0);
    return p;
}
// Error 2^-54.4 of the function, for -0.61 to 0.87.
double erfc_poly_f64(double x) {
    double p = 0x1.c93d5aaae5cd4p-27;
    p = fma(p, x, -0x1.42df1c5c02c1p-24);
    p = fma(p, x, 0x1.70c8ee7f204cdp-25);
    p = fma(p, x, 0x1.e71472f4f1102p-23);
    p = fma(p, x, -0x1.98e90fe1e6468p-25);
    p = fma(p, x, -0x1.bb94eccbb605fp-22);
    p = fma(p, x, -0x1.11057d4195377p-21);
    p = fma(p, x, 0x1.40f80042644f8p-25);
    p = fma(p, x, 0x1.0786eb8787707p-19);
    p = fma(p, x, 0x1.e8196e175b372p-19);
    p = fma(p, x, -0x1.2a6fbba009778p-20);
    p = fma(p, x, -0x1.0e75340983bf5p-16);
    p = fma(p, x, -0x1.6c0debbda407bp-16);
    p = fma(p, x, 0x1.1e7681abaa90ep-15);
    p = fma(p, x, 0x1.2efa61a8b3738p-13);
    p = fma(p, x, 0x1.2054061d7dad4p-15);
    p = fma(p, x, -0x1.5ba43981215e8p-11);
    p = fma(p, x, -0x1.b6fbf9880ba21p-11);
    p = fma(p, x, 0x1.9517bb74594a2p-9);
    p = fma(p, x, 0x1.a89eaff85324fp-8);
    p = fma(p, x, -0x1.606e41552cde3p-6);
    p = fma(p, x, -0x1.2a88e6107d477p-5);
    p = fma(p, x, 0x1.1e2deea6b117cp-2);
    p = fma(p, x, -0x1.5fd386754eff9p-1);
    p = fma(p, x, 0x1.058671b52c776p+0);
    return p;
}
// Error 2^-54.1 of the function, for 0 to 1.
double gamma_poly_f64(double x) {
    double p = -0x1.1962fd89af14cp-12;
    p = fma(p, x, 0x1.a30573d213eb1p-9);
    p = fma(p, x, -0x1.284010767d42fp-6);
    p = fma(p, x, 0x1.09b54acfa37e8p-4);
    p = fma(p, x, -0x1.5576e02ba8c86p-3);
    p = fma(p, x, 0x1.51a1ba665d019p-2);
    p = fma(p, x, -0x1.0e766c0102384p-1);
    p = fma(p, x, 0x1.6ec6d1b2e2bf6p-1);
    p = fma(p, x, -0x1.b6b5c724c5297p-1);
    p = fma(p, x, 0x1.e15a55195a2f9p-1);
    p = fma(p, x, -0x1.f57092bfcab61p-1);
    p = fma(p, x, 0x1.fce0fb72629e8p-1);
    p = fma(p, x, -0x1.fedf30591607bp-1);
    p = fma(p, x, 0x1.feec28bc95c6cp-1);
    p = fma(p, x, -0x1.fdf057d942cfcp-1);
    p = fma(p, x, 0x1.fc7db12efd367p-1);
    p = fma(p, x, -0x1.f6c8089cab467p-1);
    p = fma(p, x, 0x1.f6a5100c211dep-1);
    p = fma(p, x, -0x1.d0a118f1111aap-1);
    p = fma(p, x, 0x1.fa658c23a94a7p-1);
    p = fma(p, x, -0x1.2788cfc6fb552p-1);
    p = fma(p, x, 0x1p+0);
    return p;
}
// Error 2^-62.6 of the function, for 0 to 0.125.
double stirling_poly_f64(double x) {
    double p = -0x1.24a0875ea2097p-11;
    p = fma(p, x, -0x1.00cf73067b6ccp-11);
    p = fma(p, x, 0x1.f3e7f13807582p-11);
    p = fma(p, x, -0x1.13e0ad0155d5bp-14);
    p = fma(p, x, -0x1.35e009d0a86ddp-11);
    p = fma(p, x, 0x1.2435d3b23b4b7p-14);
    p = fma(p, x, 0x1.9b103e042cfd5p-11);
    p = fma(p, x, -0x1.e13ceab1946a7p-13);
    p = fma(p, x, -0x1.5f7268ec5cca9p-9);
    p = fma(p, x, 0x1.c71c71c71a345p-9);
    p = fma(p, x, 0x1.5555555555556p-4);
    p = fma(p, x, 0x1p+0);
    return p;
}
// Error 2^-54.0 of the function, for 0 to 0.01562.
double log_stirling_poly_f64(double x) {
    double p = -0x1.560f21c6e5f9ap-6;
    p = fma(p, x, 0x1.96ef4e7b8f78ep-8);
    p = fma(p, x, -0x1.f600ea39bc419p-10);
    p = fma(p, x, 0x1.b94f76da0ad29p-11);
    p = fma(p, x, -0x1.38137ecdb9d3fp-11);
    p = fma(p, x, 0x1.a01a019ee9c2bp-11);
    p = fma(p, x, -0x1.6c16c16c16b32p-9);
    p = fma(p, x, 0x1.5555555555555p-4);
    return p;
}
// Error 2^-54.1 of the function, for 0 to 1.
double log_gamma_poly_f64(double x) {
    double p = -0x1.0c16e43075b11p-17;
    p = fma(p, x, 0x1.92d6615e733d1p-14);
    p = fma(p, x, -0x1.1fda5363eef4p-11);
    p = fma(p, x, 0x1.05841b72f48c3p-9);
    p = fma(p, x, -0x1.557b3afc01e44p-8);
    p = fma(p, x, 0x1.5893c72b68e78p-7);
    p = fma(p, x, -0x1.1b67dd16a60c2p-6);
    p = fma(p, x, 0x1.8dd73bc111274p-6);
    p = fma(p, x, -0x1.f1b1e0c1129a6p-6);
    p = fma(p, x, 0x1.20efee0e34879p-5);
    p = fma(p, x, -0x1.425b188d9c306p-5);
    p = fma(p, x, 0x1.62458d6eaae0fp-5);
    p = fma(p, x, -0x1.852ccf1d1ef6dp-5);
    p = fma(p, x, 0x1.ae7d6d6d1dea7p-5);
    p = fma(p, x, -0x1.e1808acc3752bp-5);
    p = fma(p, x, 0x1.11553439f0f55p-4);
    p = fma(p, x, -0x1.3cb1f85284a74p-4);
    p = fma(p, x, 0x1.79cf9c3a649b5p-4);
    p = fma(p, x, -0x1.d7a3e6a86e69cp-4);
    p = fma(p, x, 0x1.3e54520480eb4p-3);
    p = fma(p, x, -0x1.f6465978d46dp-3);
    p = fma(p, x, 0x1.2788cfc6fb619p-1);
    return p;
}
// 2/pi in binary, behind a word of zeros.
constant uint two_over_pi_f32[] = {
    0x00000000, 0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab,
};
// 2/pi in binary, behind a word of zeros.
constant ulong two_over_pi_f64[] = {
    0x0000000000000000, 0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561,
    0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484, 0xe99c7026b45f7e41,
    0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7,
    0x4f463f669e5fea2d, 0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab,
    0xf0cfbc209af4361d,
};
// Inverses, and minus their logarithms in two parts.
constant double power_table_f64[] = {
    0x1.68p+0, -0x1.f7a8568cbp-2, -0x1.b3b3864c60011p-44, 0x1.6p+0, -0x1.d6753e033p-2, 0x1.5f101c141e67p-42,
    0x1.59p+0, -0x1.b8c88dbf88p-2, -0x1.9e65cd77582e2p-44, 0x1.52p+0, -0x1.9a802391e4p-2, 0x1.cd0cb4492f1bcp-42,
    0x1.4bp+0, -0x1.7b957ac51cp-2, 0x1.53ba89c902c12p-42, 0x1.44p+0, -0x1.5c01a39fbcp-2, -0x1.6879fa00b120ap-42,
    0x1.3ep+0, -0x1.406463b1bp-2, -0x1.125d6cbcd1095p-44, 0x1.38p+0, -0x1.24407ab0ep-2, -0x1.ce60916e52e91p-44,
    0x1.32p+0, -0x1.0790adbb04p-2, 0x1.fed21f9cb2cc5p-43, 0x1.2dp+0, -0x1.de73fe3b18p-3, 0x1.bf88f20dec619p-42,
    0x1.27p+0, -0x1.a2f6323208p-3, -0x1.c35651c429393p-42, 0x1.22p+0, -0x1.70742d4efp-3, -0x1.3f94e00e7d6bcp-46,
    0x1.1dp+0, -0x1.3d1146d9a8p-3, -0x1.4c7e0166e1f56p-44, 0x1.18p+0, -0x1.08c588cda8p-3, 0x1.871a7610e40bdp-45,
    0x1.13p+0, -0x1.a7111df35p-4, 0x1.edb052ee9f871p-42, 0x1.0fp+0, -0x1.507b83603p-4, -0x1.ddb6a7969bdb5p-43,
    0x1.0ap+0, -0x1.c4dfab90ap-5, -0x1.56bde9f1f0d3dp-42, 0x1.06p+0, -0x1.11cd1d514p-5, 0x1.97da24fd75f61p-42,
    0x1p+0, 0.0, 0.0, 0x1p+0, 0.0, 0.0, 0x1.e9p-1, 0x1.0f9a63466p-4, 0x1.d6e65eb089b6ap-43, 0x1.dbp-1,
    0x1.bb4102f92p-4, 0x1.4e4f1993b45aep-42, 0x1.cep-1, 0x1.2f9e32d5cp-3, -0x1.17b2f1731efbep-46, 0x1.c1p-1,
    0x1.83f304cdc8p-3, -0x1.2aca399a1c11p-42, 0x1.b5p-1, 0x1.d3fd543a48p-3, 0x1.6ae3d26e48e75p-42, 0x1.aap-1,
    0x1.0fa848044cp-2, -0x1.95def21f8497bp-43, 0x1.9fp-1, 0x1.364e2511ccp-2, 0x1.0419e103bfe18p-43, 0x1.95p-1,
    0x1.5a56d7a37p-2, 0x1.bdac42d91ededp-43, 0x1.8bp-1, 0x1.7f462e58ep-2, 0x1.6882825a09c6bp-42, 0x1.82p-1,
    0x1.a152f14298p-2, 0x1.b3d7b0e65d2cep-46, 0x1.79p-1, 0x1.c42d5c4c68p-2, 0x1.1679e16cde4e4p-43, 0x1.7p-1,
    0x1.e7df5fe538p-2, 0x1.5669df6a2b592p-43,
};
