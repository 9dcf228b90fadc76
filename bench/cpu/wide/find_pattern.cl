// Where the first quotation mark stands that is followed by another or by an "a", and then by a printable sign,
// at a place that suits the line; or -1.
#define PATTERN 3

__kernel void find_pattern(__global const uchar* text, __constant uchar* pattern, __global int* at, int stride) {
    int line = get_global_id(0);
    __global const uchar* p = text + line * stride;
    int result = -1;
    for (int i = 0; i + PATTERN <= stride; i++) {
        int k;
        for (k = 0; k < PATTERN; k++) {
            uchar c = p[i + k];
            if (k == 0 && c != pattern[k]) break;
            if (k == 1 && c != pattern[k] && c != 'a') break;
            if (k == 2 && (c < ' ' || c == pattern[k])) break;
        }
        if (k == PATTERN && (i & 3) == (line & 3)) {
            result = i;
            break;
        }
    }
    at[line] = result;
}
