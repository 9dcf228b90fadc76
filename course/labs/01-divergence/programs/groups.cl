// Ids of groups and of work-items, and a value that all work-items load from one place.
kernel void groups(global const int* in, global int* out, int rounds) {
    int i = get_global_id(0);
    int limit = in[get_group_id(0)];
    int sum = 0;
    for (int r = 0; r < rounds; r++) {
        if (get_group_id(0) % 2 == 0)
            sum += r;
        if (limit > r)
            sum += 10;
        if (in[i] > limit)
            sum -= 1;
    }
    if (get_local_id(0) == 0)
        sum = limit;
    out[i] = sum;
}
