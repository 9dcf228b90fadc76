// Two work-items load one element, and after the barrier only the first of them changes it. Lanes of a wave store in
// ascending order.
kernel void k(global int* data) {
    int i = get_global_id(0), x = data[i / 2];
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (i % 2 == 0) data[i / 2] = x + 10;
}
