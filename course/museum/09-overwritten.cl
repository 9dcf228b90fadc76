kernel void plain(global int* data) {
    int i = get_global_id(0) * 2;
    data[i] = 1;
    int next = data[i + 1];
    data[i] = next * 2;
}
