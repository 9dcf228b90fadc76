// What one arm stores, it loads again. The arms have the same instructions in another order.
kernel void order(global int* data, int n) {
    int i = get_global_id(0), x = data[i];
    if (x % 3 == 0) {
        data[i] = x + n;
        x = data[i] * 5;
    } else {
        x = data[i] * 5;
        data[i] = x - n;
    }
    data[64 + i] = x;
}
