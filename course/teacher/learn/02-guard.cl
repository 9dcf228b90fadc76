// The launch has 16 work-items, the buffer 10 elements. An access outside a buffer ends the launch.
kernel void ones(global int* out, int n) {
    int i = get_global_id(0);
    if (i < n) out[i] = 1;
}
