// Write "divergent" or "uniform" in place of the question marks.
// NOT DONE
kernel void loops(global const int* in, global int* out) {
    int i = get_global_id(0), k = 0, sum = 0;
    while (k < in[i]) {  //= ?
        if (k == 2)  //= ?
            sum = 7;
        k++;
    }
    if (k > 3)  //= ?
        sum++;
    for (int j = 0; j < 4; j++)  //= ?
        sum += j;
    out[i] = sum;
}
