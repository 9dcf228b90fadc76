// Contraction: a product that is added becomes one fused multiply-add, decided by the source's form.
// Another compiler fuses by its own rules.
//---- product_on_the_left
//: global 64
//: arg a=f32[64]:rand(1,-1,1)
//: arg b=f32[64]:rand(2,-1,1)
//: arg c=f32[64]:rand(3,-1,1)
//: arg out=f32[64]
//: not opencl: fuses by its own rules
//: expect out = fma(a[i], b[i], c[i])
kernel void k(global const float* a, global const float* b, global const float* c, global float* out) {
    int i = get_global_id(0);
    out[i] = a[i] * b[i] + c[i];
}
//---- product_on_the_right
//: global 64
//: arg a=f32[64]:rand(1,-1,1)
//: arg b=f32[64]:rand(2,-1,1)
//: arg c=f32[64]:rand(3,-1,1)
//: arg out=f32[64]
//: not opencl: fuses by its own rules
//: expect out = fma(a[i], b[i], c[i])
kernel void k(global const float* a, global const float* b, global const float* c, global float* out) {
    int i = get_global_id(0);
    out[i] = c[i] + a[i] * b[i];
}
//---- the_left_of_two_products
//: global 64
//: arg a=f32[64]:rand(1,-1,1)
//: arg b=f32[64]:rand(2,-1,1)
//: arg out=f32[64]
//: not opencl: fuses by its own rules
//: expect out = fma(a[i], a[i], b[i] * b[i])
kernel void k(global const float* a, global const float* b, global float* out) {
    int i = get_global_id(0);
    out[i] = a[i] * a[i] + b[i] * b[i];
}
//---- subtraction
//: global 64
//: arg a=f32[64]:rand(1,-1,1)
//: arg b=f32[64]:rand(2,-1,1)
//: arg out=f32[64]
//: arg rev=f32[64]
//: not opencl: fuses by its own rules
//: expect out = fma(a[i], b[i], -a[i])
//: expect rev = fma(-a[i], b[i], a[i])
kernel void k(global const float* a, global const float* b, global float* out, global float* rev) {
    int i = get_global_id(0);
    out[i] = a[i] * b[i] - a[i];
    rev[i] = a[i] - a[i] * b[i];
}
//---- compound_assignment
//: global 64
//: arg a=f32[64]:rand(1,-1,1)
//: arg b=f32[64]:rand(2,-1,1)
//: arg out=f32[64]:rand(3,-1,1)
//: not opencl: fuses by its own rules
//: expect out = fma(a[i], b[i], out[i])
kernel void k(global const float* a, global const float* b, global float* out) {
    int i = get_global_id(0);
    out[i] += a[i] * b[i];
}
//---- a_variable_between_ends_it
//: global 64
//: arg a=f32[64]:rand(1,-1,1)
//: arg b=f32[64]:rand(2,-1,1)
//: arg out=f32[64]
//: not opencl: fuses by its own rules
//: expect out = a[i] * b[i] + a[i]
kernel void k(global const float* a, global const float* b, global float* out) {
    int i = get_global_id(0);
    float product = a[i] * b[i];
    out[i] = product + a[i];
}
//---- a_cast_ends_it
//: global 64
//: arg a=f32[64]:rand(1,-1,1)
//: arg b=f32[64]:rand(2,-1,1)
//: arg out=f32[64]
//: not opencl: fuses by its own rules
//: expect out = a[i] * b[i] + a[i]
kernel void k(global const float* a, global const float* b, global float* out) {
    int i = get_global_id(0);
    out[i] = (float)(a[i] * b[i]) + a[i];
}
//---- a_call_ends_it
//: global 64
//: arg a=f32[64]:rand(1,-1,1)
//: arg b=f32[64]:rand(2,-1,1)
//: arg out=f32[64]
//: not opencl: fuses by its own rules
//: expect out = a[i] * b[i] + a[i]
float product(float x, float y) { return x * y; }
kernel void k(global const float* a, global const float* b, global float* out) {
    int i = get_global_id(0);
    out[i] = product(a[i], b[i]) + a[i];
}
//---- doubles
//: global 64
//: arg a=f64[64]:rand(1,-1,1)
//: arg b=f64[64]:rand(2,-1,1)
//: arg out=f64[64]
//: not opencl: fuses by its own rules
//: expect out = fma(a[i], b[i], 0.1)
kernel void k(global const double* a, global const double* b, global double* out) {
    int i = get_global_id(0);
    out[i] = a[i] * b[i] + 0.1;
}
//---- off
//: global 64
//: flags -ffp-contract=off
//: arg a=f32[64]:rand(1,-1,1)
//: arg b=f32[64]:rand(2,-1,1)
//: arg out=f32[64]
//: expect out = a[i] * b[i] + a[i] * a[i]
kernel void k(global const float* a, global const float* b, global float* out) {
    int i = get_global_id(0);
    out[i] = a[i] * b[i] + a[i] * a[i];
}
//---- explicit_fma
//: global 64
//: flags -ffp-contract=off
//: arg a=f32[64]:rand(1,-1,1)
//: arg b=f32[64]:rand(2,-1,1)
//: arg out=f32[64]
//: expect out = fma(a[i], b[i], fma(a[i], 3.0f, -b[i]))
kernel void k(global const float* a, global const float* b, global float* out) {
    int i = get_global_id(0);
    out[i] = fma(a[i], b[i], fma(a[i], 3.0f, -b[i]));
}
//---- explicit_double_fma
//: global 64
//: flags -ffp-contract=off
//: arg a=f64[64]:rand(1,-1,1)
//: arg b=f64[64]:rand(2,-1,1)
//: arg out=f64[64]
//: expect out = fma(a[i], b[i], -0.25)
kernel void k(global const double* a, global const double* b, global double* out) {
    int i = get_global_id(0);
    out[i] = fma(a[i], b[i], -0.25);
}
