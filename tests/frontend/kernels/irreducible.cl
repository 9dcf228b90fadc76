// Duff's device, and a goto into a loop.
kernel void duff(global const int* from, global int* to, int count) {
    size_t id = get_global_id(0);
    global const int* s = from + id * count;
    global int* d = to + id * count;
    int n = (count + 7) / 8;
    if (count <= 0) return;
    switch (count % 8) {
        case 0: do { *d++ = *s++;
        case 7:      *d++ = *s++;
        case 6:      *d++ = *s++;
        case 5:      *d++ = *s++;
        case 4:      *d++ = *s++;
        case 3:      *d++ = *s++;
        case 2:      *d++ = *s++;
        case 1:      *d++ = *s++;
                } while (--n > 0);
    }
}

kernel void into_loop(global int* data, int n) {
    int i = 0, sum = 0;
    if (data[0] & 1) goto middle;
    while (i < n) {
        int step;
        sum += data[i];
    middle:
        sum ^= i + step;
        step = 2;
        i += step;
        if (sum == 77) goto out;
    }
    for (;;) {
        if (i-- == 0) break;
        switch (sum & 3) {
            default: sum++; continue;
            case 1: sum += 3;
            case 2: { if (sum > 100) { case 3: sum -= 5; } break; }
        }
        sum *= 3;
    }
out:
    data[get_global_id(0)] = sum;
}
