void in_order(global int* a, global int* b) {
    if (*a > *b) {
        int t = *a;
        *a = *b;
        *b = t;
    }
}

kernel void pairs(global int* data) {
    int i = 2 * get_global_id(0);
    in_order(&data[i], &data[i + 1]);
}
