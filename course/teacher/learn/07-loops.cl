// Write "divergent" or "uniform" in place of the question marks.
kernel void loops(global const int* in, global int* out) {
    int i = get_global_id(0), k = 0, sum = 0;
    while (k < in[i]) {  //= divergent
        if (k == 2)  //= uniform
            sum = 7;
        k++;
    }
    if (k > 3)  //= divergent
        sum++;
    for (int j = 0; j < 4; j++)  //= uniform
        sum += j;
    out[i] = sum;
}
