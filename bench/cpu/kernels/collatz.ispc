export void collatz(uniform unsigned int out[], uniform int nx, uniform int ny, uniform int nz) {
    foreach (i = 0 ... nx) {
        unsigned int n = i + 1;
        unsigned int steps = 0;
        while (n != 1) {
            n = (n & 1) != 0 ? 3 * n + 1 : n >> 1;
            steps++;
        }
        out[i] = steps;
    }
}
