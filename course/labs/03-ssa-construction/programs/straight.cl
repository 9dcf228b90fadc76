// One block: each variable has one value after the other.
kernel void straight(global const int* in, global int* out) {
    int i = get_global_id(0);
    int x = in[i], y = x * 3, old = x;
    x = y + 1;
    y = old;
    out[i] = x * 100 + y;
}
