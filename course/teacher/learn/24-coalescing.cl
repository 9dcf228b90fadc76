kernel void twice(global int* data) {
    int i = get_global_id(0);
    for (int k = 0; k < 4; k++)
        data[64 * k + i] *= 2;
}
