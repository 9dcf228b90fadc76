// y = a * x + y: one load, one load, one fused multiply-add, one store.
kernel void saxpy(float a, global const float* restrict x, global float* restrict y) {
    int i = get_global_id(0);
    y[i] = a * x[i] + y[i];
}
