#define PATTERN 3
export void find_pattern(uniform const uint8 text[], uniform const uint8 pattern[], uniform int at[],
                         uniform int stride, uniform int nx, uniform int ny, uniform int nz) {
    foreach (line = 0 ... nx) {
        int result = -1;
        for (uniform int i = 0; i + PATTERN <= stride; i++) {
            bool matches = true;
            for (uniform int k = 0; k < PATTERN; k++) {
                const int c = text[line * stride + i + k];
                if (k == 0 && c != pattern[k]) matches = false;
                if (k == 1 && c != pattern[k] && c != 97) matches = false;
                if (k == 2 && (c < 32 || c == pattern[k])) matches = false;
                if (!matches) break;
            }
            if (matches && (i & 3) == (line & 3)) {
                result = i;
                break;
            }
        }
        at[line] = result;
    }
}
