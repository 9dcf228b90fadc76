// Sums of records; a record that is wrong is left by an exception, and so is a line with too many of them.
uint payload(uchar byte, int sum) {
    if (byte == 255) throw 1;
    if (byte < 4 && sum > 1000) throw 2;
    return byte & 31;
}

int line_sum(global const uchar* code, int length) {
    int sum = 0, wrong = 0;
    for (int i = 0; i < length; i += 8) {
        try {
            for (int k = 0; k < 8; k++) sum += payload(code[i + k], sum);
        } catch (int kind) {
            wrong += kind;
            if (wrong > 6) throw (short)wrong;
        }
    }
    return sum;
}

kernel void exceptions(global const uchar* code, global int* out, int length) {
    const int id = get_global_id(0);
    try {
        out[id] = line_sum(code + id * length, length);
    } catch (short wrong) {
        out[id] = -wrong;
    }
}
