// The branch is divergent: even and odd lanes take different arms. Compute the same without a divergent branch.
// NOT DONE
kernel void signs(global const int* in, global int* out) {
    int i = get_global_id(0);
    if (i & 1)
        out[i] = -in[i];
    else
        out[i] = in[i];
}
