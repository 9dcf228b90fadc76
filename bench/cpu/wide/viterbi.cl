// Costs of the best path through a trellis of 16 states.
#define STATES 16
__constant short penalty[4][4] = {{0, 3, 5, 9}, {3, 0, 4, 6}, {5, 4, 0, 2}, {9, 6, 2, 0}};

__kernel void viterbi(__global const uchar* observed, __global short* best, int steps) {
    const int id = get_global_id(0), n = get_global_size(0);
    short cost[STATES], next[STATES];
    for (int s = 0; s < STATES; s++) cost[s] = s == 0 ? 0 : 100;
    for (int t = 0; t < steps; t++) {
        const uchar o = observed[t * n + id];
        for (int s = 0; s < STATES; s++) {
            const int a = (s << 1) & (STATES - 1), b = a | 1;
            const short through_a = cost[a] + penalty[(a ^ s) & 3][o];
            const short through_b = cost[b] + penalty[(b + s) & 3][o];
            next[s] = through_a < through_b ? through_a : through_b;
        }
        for (int s = 0; s < STATES; s++) cost[s] = next[s];
    }
    short least = cost[0];
    for (int s = 1; s < STATES; s++) least = min(least, cost[s]);
    best[id] = least;
}
