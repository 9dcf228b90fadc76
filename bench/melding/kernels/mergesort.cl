// One round of a bottom-up sort: each work-item merges slices of `width` numbers.
kernel void mergesort(global const int* in, global int* out, int size, int width, int slices) {
    int start = get_global_id(0) * width * slices;
    for (int slice = 0; slice < slices; slice++) {
        if (start >= size) break;
        int mid = min(start + width / 2, size), end = min(start + width, size), i = start, j = mid;
        for (int k = start; k < end; k++) {
            if (i < mid && (j >= end || in[i] < in[j])) {
                out[k] = in[i];
                i++;
            } else {
                out[k] = in[j];
                j++;
            }
        }
        start += width;
    }
}
