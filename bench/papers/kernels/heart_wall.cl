// Follows points on moving pictures: for each point (a group) the place where a small template fits best. Strided
// loops with bounds that depend on the work-item, barriers between them, and a search with early exits.
#define SIDE 12
#define HALF 3
#define WINDOW (SIDE - 2 * HALF)

kernel void heart_wall(global const float* frames, int size, int count, global const int* starts, global int* track) {
    local float part[SIDE * SIDE], pattern[(2 * HALF + 1) * (2 * HALF + 1)], score[WINDOW * WINDOW];
    local int place[2];
    int group = get_group_id(0), id = get_local_id(0), items = get_local_size(0), edge = 2 * HALF + 1;
    if (id < 2)
        place[id] = clamp(starts[2 * group + id], SIDE / 2, size - SIDE / 2);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = id; i < edge * edge; i += items)
        pattern[i] = frames[(place[1] - HALF + i / edge) * size + place[0] - HALF + i % edge];
    for (int frame = 0; frame < count; frame++) {
        global const float* picture = frames + frame * size * size;
        int i = id;
        while (i < SIDE * SIDE) {
            part[i] = picture[(place[1] - SIDE / 2 + i / SIDE) * size + place[0] - SIDE / 2 + i % SIDE];
            i += items;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        i = id;
        while (i < WINDOW * WINDOW) {
            float sum = 0.0f, worst = 6.0f;
            int x = i % WINDOW, y = i / WINDOW, k = 0;
            while (k < edge * edge) {
                float d = part[(y + k / edge) * SIDE + x + k % edge] - pattern[k];
                sum += d * d;
                if (sum > worst && k > edge)
                    break;
                k++;
            }
            score[i] = k == edge * edge ? sum : 1000.0f - k;
            i += items;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (id == 0) {
            int best = 0;
            for (int k = 1; k < WINDOW * WINDOW; k++)
                if (score[k] < score[best] || (score[k] == score[best] && k == WINDOW * WINDOW / 2))
                    best = k;
            place[0] = clamp(place[0] + best % WINDOW - WINDOW / 2, SIDE / 2, size - SIDE / 2);
            place[1] = clamp(place[1] + best / WINDOW - WINDOW / 2, SIDE / 2, size - SIDE / 2);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (id < 2)
            track[(group * count + frame) * 2 + id] = place[id];
    }
}
