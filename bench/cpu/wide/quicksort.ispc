#define LENGTH 32

export void quicksort(uniform int data[], uniform int n, uniform int nx, uniform int ny, uniform int nz) {
    foreach (id = 0 ... nx) {
        int a[LENGTH];
        for (uniform int i = 0; i < LENGTH; ++i) a[i] = data[i * n + id];
        int low_stack[16];
        int high_stack[16];
        int top = 0;
        low_stack[0] = 0;
        high_stack[0] = LENGTH - 1;
        while (top >= 0) {
            const int low = low_stack[top];
            const int high = high_stack[top];
            top--;
            if (low >= high) continue;
            const int pivot = a[(low + high) / 2];
            int i = low;
            int j = high;
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
        for (uniform int i = 0; i < LENGTH; ++i) data[i * n + id] = a[i];
    }
}

// One array after the other.
export void quicksort_expert(uniform int data[], uniform int n, uniform int nx, uniform int ny, uniform int nz) {
    for (uniform int id = 0; id < nx; id++) {
        uniform int a[LENGTH];
        for (uniform int i = 0; i < LENGTH; ++i) a[i] = data[i * n + id];
        uniform int low_stack[16];
        uniform int high_stack[16];
        uniform int top = 0;
        low_stack[0] = 0;
        high_stack[0] = LENGTH - 1;
        while (top >= 0) {
            const uniform int low = low_stack[top];
            const uniform int high = high_stack[top];
            top--;
            if (low >= high) continue;
            const uniform int pivot = a[(low + high) / 2];
            uniform int i = low;
            uniform int j = high;
            while (i <= j) {
                while (a[i] < pivot) i++;
                while (a[j] > pivot) j--;
                if (i <= j) {
                    const uniform int t = a[i];
                    a[i] = a[j];
                    a[j] = t;
                    i++;
                    j--;
                }
            }
            // The longer side first, so that the stack stays short.
            const uniform bool left_is_longer = j - low > high - i;
            top++;
            low_stack[top] = left_is_longer ? low : i;
            high_stack[top] = left_is_longer ? j : high;
            top++;
            low_stack[top] = left_is_longer ? i : low;
            high_stack[top] = left_is_longer ? high : j;
        }
        for (uniform int i = 0; i < LENGTH; ++i) data[i * n + id] = a[i];
    }
}
