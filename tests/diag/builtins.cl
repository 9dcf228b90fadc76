kernel void k(global int* out, global const int* in, global float* f, global char* c, local uint* l) {
    int x = 1;
    barrier();
    barrier(1.0f);
    atomic_add(&x, 1);
    atomic_add(in, 1);
    atomic_add(f, 1);
    atomic_add(c, 1);
    atomic_inc(out, 1);
    atomic_cmpxchg(l, 1, f);
    assert(x > 0, "positive");
    f[0] = convert_float_sat(x);
    f[1] = convert_float_rtz(1L);
    x = mul_hi(1.0f, 2);
    x = upsample(x, x);
    f[2] = modf(1.0f, out);
    f[3] = frexp(1.0f, in);
    x = select(1, 2, 3.0f);
    x = barrier(CLK_LOCAL_MEM_FENCE);
    x = as_float(1L);
    out[0] = mul_hi;
    x = CLK_ADDRESS_CLAMP;
}
