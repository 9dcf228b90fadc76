kernel void show(global const float* in) {
    int i = get_global_id(0);
    if (get_local_id(0) == 0)
        printf("group %d: %.2f\n", (int)get_group_id(0), in[i]);
}
