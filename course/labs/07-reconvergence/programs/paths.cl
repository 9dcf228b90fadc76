// All work-items take one of two paths at first. From both they may come to one block, and part there again.
kernel void paths(global const int* in, global int* out, int n) {
    int i = get_global_id(0), x = in[i], r = 0;
    if (n & 1) goto q;        // uniform
    r += 1;
    if (x & 1) goto left;     // divergent
    goto both;
q:
    r += 2;
    if (x & 2) goto right;    // divergent
both:
    r += 4;
    if (x & 4) goto right;    // divergent
left:
    r += 8;
    goto end;
right:
    r += 16;
end:
    out[i] = r;
}
