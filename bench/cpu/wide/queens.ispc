#define MAX_N 16
static inline bool attacked(const int column[], int row) {
    for (int i = 0; i < row; i++) {
        int d = column[row] - column[i];
        if (d == 0 || d == row - i || d == i - row) return true;
    }
    return false;
}

export void queens(uniform int solutions[], uniform int n, uniform int nx, uniform int ny, uniform int nz) {
    foreach (id = 0 ... nx) {
        int column[MAX_N];
        column[0] = id % n;
        column[1] = id / n % n;
        column[2] = id / (n * n);
        int count = 0;
        if (!attacked(column, 1) && !attacked(column, 2)) {
            int row = 3;
            column[row] = -1;
            while (row >= 3) {
                column[row]++;
                if (column[row] == n) {
                    row--;
                } else if (!attacked(column, row)) {
                    if (row == n - 1) {
                        count++;
                    } else {
                        row++;
                        column[row] = -1;
                    }
                }
            }
        }
        solutions[id] = count;
    }
}

// Sets of free columns and diagonals as bits; the stack holds what is left to try.
export void queens_expert(uniform int solutions[], uniform int n, uniform int nx, uniform int ny, uniform int nz) {
    const uniform int all = (1 << n) - 1;
    for (uniform int id = 0; id < nx; id++) {
        uniform int columns = 0;
        uniform int left = 0;
        uniform int right = 0;
        uniform int count = 0;
        uniform int rest = id;
        uniform bool free = true;
        for (uniform int r = 0; r < 3; r++) {
            const uniform int bit = 1 << (rest % n);
            rest /= n;
            if (((columns | left | right) & bit) != 0) free = false;
            columns |= bit;
            left = (left | bit) << 1;
            right = (right | bit) >> 1;
        }
        if (free) {
            uniform int c[MAX_N];
            uniform int l[MAX_N];
            uniform int r[MAX_N];
            uniform int todo[MAX_N];
            uniform int depth = 0;
            c[0] = columns;
            l[0] = left;
            r[0] = right;
            todo[0] = all & ~(columns | left | right);
            while (depth >= 0) {
                if (todo[depth] == 0) {
                    depth--;
                    continue;
                }
                const uniform int bit = todo[depth] & -todo[depth];
                todo[depth] ^= bit;
                if ((c[depth] | bit) == all) {
                    count++;
                    continue;
                }
                c[depth + 1] = c[depth] | bit;
                l[depth + 1] = (l[depth] | bit) << 1;
                r[depth + 1] = (r[depth] | bit) >> 1;
                depth++;
                todo[depth] = all & ~(c[depth] | l[depth] | r[depth]);
            }
        }
        solutions[id] = count;
    }
}
