// Placements of queens that continue the three that a work-item's number stands for.
#define MAX_N 16

int attacked(const int* column, int row) {
    for (int i = 0; i < row; i++) {
        int d = column[row] - column[i];
        if (d == 0 || d == row - i || d == i - row) return 1;
    }
    return 0;
}

__kernel void queens(__global int* solutions, int n) {
    int id = get_global_id(0);
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
