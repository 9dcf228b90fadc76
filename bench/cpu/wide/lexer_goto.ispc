// Without goto across divergent code: one loop, a state for each lane.
export void lexer_goto(uniform const uint8 text[], uniform int tokens[], uniform int stride, uniform int nx,
                       uniform int ny, uniform int nz) {
    foreach (id = 0 ... nx) {
        int p = id * stride;
        const int end = p + stride;
        int words = 0;
        int numbers = 0;
        int strings = 0;
        int others = 0;
        int state = 0;
        while (true) {
            if (p >= end) {
                if (state == 1) words++;
                if (state == 2) numbers++;
                break;
            }
            const int c = text[p];
            const bool letter = (c >= 97 && c <= 122) || c == 95;
            const bool digit = c >= 48 && c <= 57;
            if (state == 1) {
                if (letter || digit) p++;
                else { words++; state = 0; }
            } else if (state == 2) {
                if (digit || c == 46) p++;
                else { numbers++; state = 0; }
            } else if (state == 3) {
                p++;
                if (c == 92) p++;
                else if (c == 34) { strings++; state = 0; }
            } else {
                p++;
                if (c == 32) continue;
                if (letter) state = 1;
                else if (digit) state = 2;
                else if (c == 34) state = 3;
                else others++;
            }
        }
        tokens[id * 4] = words;
        tokens[id * 4 + 1] = numbers;
        tokens[id * 4 + 2] = strings;
        tokens[id * 4 + 3] = others;
    }
}

// A line at a time, scalar.
export void lexer_goto_expert(uniform const uint8 text[], uniform int tokens[], uniform int stride, uniform int nx,
                              uniform int ny, uniform int nz) {
    for (uniform int id = 0; id < nx; id++) {
        uniform int p = id * stride;
        const uniform int end = p + stride;
        uniform int words = 0;
        uniform int numbers = 0;
        uniform int strings = 0;
        uniform int others = 0;
        while (p < end) {
            uniform int c = text[p];
            p++;
            if (c == 32) continue;
            if ((c >= 97 && c <= 122) || c == 95) {
                while (p < end) {
                    c = text[p];
                    if (!((c >= 97 && c <= 122) || c == 95 || (c >= 48 && c <= 57))) break;
                    p++;
                }
                words++;
            } else if (c >= 48 && c <= 57) {
                while (p < end) {
                    c = text[p];
                    if (!((c >= 48 && c <= 57) || c == 46)) break;
                    p++;
                }
                numbers++;
            } else if (c == 34) {
                uniform bool open = true;
                while (open && p < end) {
                    c = text[p];
                    p++;
                    if (c == 92) p++;
                    else if (c == 34) open = false;
                }
                if (!open) strings++;
            } else {
                others++;
            }
        }
        tokens[id * 4] = words;
        tokens[id * 4 + 1] = numbers;
        tokens[id * 4 + 2] = strings;
        tokens[id * 4 + 3] = others;
    }
}
