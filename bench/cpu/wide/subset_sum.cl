// The first subset, in the order of a search that takes before it leaves out, whose sum is the target.
#define COUNT 12

kernel void subset_sum(global const int* weights, global int* found, int target) {
    int id = get_global_id(0);
    int w[COUNT];
    char taken[COUNT];
    for (int i = 0; i < COUNT; i++) w[i] = weights[id * COUNT + i];
    int depth = 0, sum = 0, steps = 0;
descend:
    steps++;
    if (sum == target) goto success;
    if (depth == COUNT) goto back;
    if (sum + w[depth] > target) {
        taken[depth] = 0;
        depth++;
        goto descend;
    }
    taken[depth] = 1;
    sum += w[depth];
    depth++;
    goto descend;
back:
    if (depth == 0) goto fail;
    depth--;
    if (!taken[depth]) goto back;
    taken[depth] = 0;
    sum -= w[depth];
    depth++;
    goto descend;
fail:
    found[id] = -steps;
    return;
success:;
    int mask = 0;
    for (int i = 0; i < depth; i++) mask |= taken[i] << i;
    found[id] = mask;
}
