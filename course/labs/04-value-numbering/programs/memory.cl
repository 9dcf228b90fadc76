// A load is not computed from its address alone, and an atomic operation does something. a - b is not b - a.
kernel void memory(global int* data) {
    int i = get_global_id(0);
    data[i] = data[i] + 1;
    data[i] = data[i] + i;
    if (data[i] > 5)
        data[i] = data[i] - 3;
    int before = atomic_add(&data[i], 1), after = atomic_add(&data[i], 1);
    data[i] += (before - i) * 5 + (i - before);
    if (before != after)
        data[i] += 100;
}
