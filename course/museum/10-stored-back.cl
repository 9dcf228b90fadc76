kernel void plain(global int* data) {
    int i = get_global_id(0), x = data[i];
    if (x < 5) data[i] = 5;
}
