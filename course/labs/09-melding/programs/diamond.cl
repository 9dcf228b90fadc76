// Both arms do the same with other numbers.
kernel void diamond(global int* data) {
    int i = get_global_id(0), x = data[i];
    if (x & 1)
        x = (x * 3 + 1) ^ 5;
    else
        x = (x * 7 + i) ^ 9;
    data[i] = x;
}
