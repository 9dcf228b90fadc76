#define STATES 16
static const uniform int16 penalty[4][4] = {{0, 3, 5, 9}, {3, 0, 4, 6}, {5, 4, 0, 2}, {9, 6, 2, 0}};

export void viterbi(uniform const uint8 observed[], uniform int16 best[], uniform int steps, uniform int nx,
                    uniform int ny, uniform int nz) {
    foreach (id = 0 ... nx) {
        int16 cost[STATES];
        int16 next[STATES];
        for (uniform int s = 0; s < STATES; s++) cost[s] = s == 0 ? (int16)0 : (int16)100;
        for (uniform int t = 0; t < steps; t++) {
            const int o = observed[t * nx + id];
            for (uniform int s = 0; s < STATES; s++) {
                const uniform int a = (s << 1) & (STATES - 1);
                const uniform int b = a | 1;
                const int16 through_a = cost[a] + penalty[(a ^ s) & 3][o];
                const int16 through_b = cost[b] + penalty[(b + s) & 3][o];
                next[s] = through_a < through_b ? through_a : through_b;
            }
            for (uniform int s = 0; s < STATES; s++) cost[s] = next[s];
        }
        int16 least = cost[0];
        for (uniform int s = 1; s < STATES; s++) least = cost[s] < least ? cost[s] : least;
        best[id] = least;
    }
}
