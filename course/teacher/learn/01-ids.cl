// A kernel runs once for each work-item. Store in each element the square of its index.
kernel void squares(global int* out) {
    int i = get_global_id(0);
    out[i] = i * i;
}
