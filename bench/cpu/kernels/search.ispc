export void search(uniform const int table[], uniform int n, uniform const int keys[], uniform int found[],
                   uniform int nx, uniform int ny, uniform int nz) {
    foreach (i = 0 ... nx) {
        const int key = keys[i];
        int low = 0;
        int high = n - 1;
        int at = -1;
        while (low <= high) {
            const int middle = low + (high - low) / 2;
            const int value = table[middle];
            if (value == key) {
                at = middle;
                break;
            }
            if (value < key) low = middle + 1;
            else high = middle - 1;
        }
        found[i] = at;
    }
}
