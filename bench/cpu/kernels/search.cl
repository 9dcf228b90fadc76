// Binary search of each key in a sorted table: gathers, and a break when the key is found.
kernel void search(global const int* table, int n, global const int* keys, global int* found) {
    int key = keys[get_global_id(0)];
    int low = 0, high = n - 1, at = -1;
    while (low <= high) {
        int middle = low + (high - low) / 2;
        int value = table[middle];
        if (value == key) {
            at = middle;
            break;
        }
        if (value < key)
            low = middle + 1;
        else
            high = middle - 1;
    }
    found[get_global_id(0)] = at;
}
