// Lanes take one arm or the other, and some take neither. Only lanes of one arm store to `out`.
kernel void branch(global const int* in, global int* out, global int* more) {
    int i = get_global_id(0), x = in[i];
    if (x > 10) {
        x = x * 3;
        out[i] = x;
    } else if (x < 0) {
        x = in[i ^ 1] - x;
    }
    more[i] = x;
}
