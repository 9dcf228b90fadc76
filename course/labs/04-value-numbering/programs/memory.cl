// A load is not computed from its address alone.
kernel void memory(global int* data) {
    int i = get_global_id(0);
    data[i] = data[i] + 1;
    data[i] = data[i] + i;
    if (data[i] > 5)
        data[i] = data[i] - 3;
}
