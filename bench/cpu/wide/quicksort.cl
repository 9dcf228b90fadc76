// Each work-item sorts 32 numbers, which are interleaved with those of the others.
#define LENGTH 32

kernel void quicksort(global int* data, int n) {
    const int id = get_global_id(0);
    int a[LENGTH];
    for (int i = 0; i < LENGTH; ++i) a[i] = data[i * n + id];
    int low_stack[16], high_stack[16], top = 0;
    low_stack[0] = 0;
    high_stack[0] = LENGTH - 1;
    while (top >= 0) {
        const int low = low_stack[top], high = high_stack[top];
        top--;
        if (low >= high) continue;
        const int pivot = a[(low + high) / 2];
        int i = low, j = high;
        while (i <= j) {
            while (a[i] < pivot) i++;
            while (a[j] > pivot) j--;
            if (i <= j) {
                const int t = a[i];
                a[i] = a[j];
                a[j] = t;
                i++;
                j--;
            }
        }
        // The longer side first, so that the stack stays short.
        const bool left_is_longer = j - low > high - i;
        top++;
        low_stack[top] = left_is_longer ? low : i;
        high_stack[top] = left_is_longer ? j : high;
        top++;
        low_stack[top] = left_is_longer ? i : low;
        high_stack[top] = left_is_longer ? high : j;
    }
    for (int i = 0; i < LENGTH; ++i) data[i * n + id] = a[i];
}
