// Steps of random walks until they leave a disc.
inline uint xorshift(uint* state) {
    uint x = *state;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return *state = x;
}

__kernel void monte_carlo(__global uint* exits, uint seed, int limit) {
    uint gid = get_global_id(0);
    uint state = (gid + 1) * 2654435761u ^ seed;
    int x = 0, y = 0, steps = 0;
    do {
        uint r = xorshift(&state);
        switch (r >> 30) {
            case 0: x++; break;
            case 1: x--; break;
            case 2: y++; break;
            default: y--;
        }
        steps++;
    } while (x * x + y * y < 100 && steps < limit);
    exits[gid] = steps;
}
