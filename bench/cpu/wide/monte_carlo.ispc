export void monte_carlo(uniform unsigned int exits[], uniform unsigned int seed, uniform int limit, uniform int nx,
                        uniform int ny, uniform int nz) {
    foreach (gid = 0 ... nx) {
        unsigned int state = ((unsigned int)(gid + 1) * 2654435761) ^ seed;
        int x = 0;
        int y = 0;
        int steps = 0;
        do {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            const unsigned int way = state >> 30;
            if (way == 0) x++;
            else if (way == 1) x--;
            else if (way == 2) y++;
            else y--;
            steps++;
        } while (x * x + y * y < 100 && steps < limit);
        exits[gid] = steps;
    }
}
