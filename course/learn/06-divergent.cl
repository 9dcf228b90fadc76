// Write "divergent" or "uniform" in place of the question marks. Lines must keep their branch.
// NOT DONE
kernel void branches(global const int* in, global int* out, int n) {
    int i = get_global_id(0);
    if (i >= n) {  //= ?
        out[i] = -1;
    } else if (n > 10) {  //= ?
        out[i] = in[i];
    }
    if (get_group_id(0) == 0)  //= ?
        out[i] += 1;
    if (in[i] % 3 == 0)  //= ?
        out[i] += 2;
}
