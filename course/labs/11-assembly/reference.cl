// What the assembly must compute.
kernel void blend(global const int* x, global const int* y, global int* out, int a) {
    int i = get_global_id(0);
    out[i] = a * x[i] + y[i];
}
