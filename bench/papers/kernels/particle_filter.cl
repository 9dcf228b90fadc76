// Draws particles anew by their weights: the first place at which the sum of weights reaches a number, by looking
// at one after the other, with a break in the middle of the loop; and by halving, with three ways out.
int halve(global const float* sums, int low, int high, float u) {
    while (low < high) {
        int middle = (low + high) / 2;
        if (sums[middle] >= u) {
            if (middle == 0)
                return 0;
            if (sums[middle - 1] < u)
                return middle;
            while (middle > low && sums[middle - 1] == sums[middle])
                middle--;
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

kernel void particle_filter(global const float* sums, global const float* draws, global const float* x, int particles,
                            global float* drawn, global int* halved) {
    int i = get_global_id(0), index = -1;
    if (i < particles) {
        for (int k = 0; k < particles; k++)
            if (sums[k] >= draws[i]) {
                index = k;
                break;
            }
        if (index == -1)
            index = particles - 1;
        drawn[i] = x[index];
        halved[i] = halve(sums, 0, particles - 1, draws[i]);
    }
}
