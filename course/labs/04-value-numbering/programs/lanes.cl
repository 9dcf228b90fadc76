// What a sub-group computes depends on which work-items are there: the second sum counts those of the arm alone.
kernel void lanes(global int* out) {
    int i = get_global_id(0), sum = sub_group_reduce_add(1);
    if (i % 3 == 0)
        sum += 100 * sub_group_reduce_add(1);
    out[i] = sum;
}
