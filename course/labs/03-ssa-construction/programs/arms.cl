// Variables that both arms, one arm or no arm sets, and one that only an arm knows.
kernel void arms(global const int* in, global int* out) {
    int i = get_global_id(0), x = in[i], sign, twice = 0, same = 7;
    if (x < 0) {
        int positive = -x;
        sign = -1;
        twice = positive * 2;
    } else {
        sign = 1;
    }
    switch (x & 7) {
        case 4: sign = 3;
        case 1:
        case 2: twice += 10 * sign; break;
        case 5: sign *= 2; break;
    }
    out[i] = sign * same + twice;
}
