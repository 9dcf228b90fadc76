// The arms are alike but for one load. Its address is right in its own arm only, and melding pays all the same.
kernel void alone(global const int* few, global const int* many, global int* out) {
    int i = get_global_id(0), r = many[i];
    if (i < 8) {
        r = (r * 5 + i) ^ (r >> 3);
        r = r * 11 + few[i];
        r = (r >> 2) * 3 + i;
    } else {
        r = (r * 6 + i) ^ (r >> 4);
        r = r * 13 + 9;
        r = (r >> 2) * 7 + i;
    }
    out[i] = r;
}
