// Each arm asks for the sum over the work-items that are in it.
kernel void lanes(global int* out) {
    int i = get_global_id(0), r;
    if (i & 1)
        r = sub_group_reduce_add(i) * 5 + 2;
    else
        r = sub_group_reduce_add(i) * 7 + 2;
    out[i] = r;
}
