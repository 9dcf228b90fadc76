// The addresses differ in an attribute: how many bytes an element has. The loads differ in their types.
kernel void scale(global const int* data, global int* out) {
    int i = get_global_id(0), r;
    if (i & 1)
        r = data[i] * 5 + 2;
    else
        r = ((global const short*)data)[i] * 5 + 3;
    out[i] = r;
}
