// The first work-item of each group prints a line: the number of the group, and in[i] with two decimals.
// NOT DONE
kernel void show(global const float* in) {
    int i = get_global_id(0);
    printf("group %d: %f\n", i, in[i]);
}
