// Heat on a plate, several steps for each launch: a group computes a tile whose rim shrinks with every step.
#define TILE 16

kernel __attribute__((reqd_work_group_size(TILE, TILE, 1))) void hotspot(global const float* power, global const float* before,
                                                                    global float* after, int size, int steps) {
    local float now[TILE][TILE], next[TILE][TILE];
    int tx = get_local_id(0), ty = get_local_id(1), inner = TILE - 2 * steps;
    int x = (int)get_group_id(0) * inner - steps + tx, y = (int)get_group_id(1) * inner - steps + ty;
    bool on_plate = x >= 0 && y >= 0 && x < size && y < size, computed = false;
    float source = 0.0f;
    if (on_plate) {
        now[ty][tx] = before[y * size + x];
        source = power[y * size + x];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    int north = y <= 0 ? ty : ty - 1, south = y >= size - 1 ? ty : ty + 1;
    int west = x <= 0 ? tx : tx - 1, east = x >= size - 1 ? tx : tx + 1;
    for (int i = 0; i < steps; i++) {
        computed = false;
        if (tx >= i + 1 && tx <= TILE - i - 2 && ty >= i + 1 && ty <= TILE - i - 2 && on_plate) {
            computed = true;
            float t = now[ty][tx];
            next[ty][tx] = t + 0.05f * (source + (now[south][tx] + now[north][tx] - 2.0f * t) +
                                        (now[ty][east] + now[ty][west] - 2.0f * t) + 0.1f * (80.0f - t));
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (i == steps - 1)
            break;
        if (computed)
            now[ty][tx] = next[ty][tx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (computed)
        after[y * size + x] = next[ty][tx];
}
