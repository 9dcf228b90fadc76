// A helper function takes the addresses of two numbers and puts them in order.
// NOT DONE
void in_order(int* a, int* b) {
    if (*a > *b) {
        int t = *a;
        *a = *b;
        *b = t;
    }
}

kernel void pairs(global int* data) {
    int i = 2 * get_global_id(0);
    in_order(&data[i], &data[i + 1]);
}
