// 12 work-items in groups of 4. Store 100 times the number of the group plus the number in the group.
kernel void groups(global int* out) {
    int i = get_global_id(0);
    out[i] = 100 * get_group_id(0) + get_local_id(0);
}
