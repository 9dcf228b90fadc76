// Without goto across divergent code: one loop, a state for each lane.
export void lexer_goto(uniform const uint8 text[], uniform int tokens[], uniform int stride, uniform int nx,
                       uniform int ny, uniform int nz) {
    foreach (id = 0 ... nx) {
        int p = id * stride;
        const int end = p + stride;
        int words = 0, numbers = 0, strings = 0, others = 0, state = 0;
        while (true) {
            if (p >= end) {
                if (state == 1) words++;
                if (state == 2) numbers++;
                break;
            }
            const int c = text[p];
            const bool letter = (c >= 'a' && c <= 'z') || c == '_', digit = c >= '0' && c <= '9';
            if (state == 1) {
                if (letter || digit) p++;
                else { words++; state = 0; }
            } else if (state == 2) {
                if (digit || c == '.') p++;
                else { numbers++; state = 0; }
            } else if (state == 3) {
                p++;
                if (c == '\\') p++;
                else if (c == '"') { strings++; state = 0; }
            } else {
                p++;
                if (c == ' ') continue;
                if (letter) state = 1;
                else if (digit) state = 2;
                else if (c == '"') state = 3;
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
        uniform int words = 0, numbers = 0, strings = 0, others = 0;
        while (p < end) {
            uniform int c = text[p];
            p++;
            if (c == ' ') continue;
            if ((c >= 'a' && c <= 'z') || c == '_') {
                while (p < end) {
                    c = text[p];
                    if (!((c >= 'a' && c <= 'z') || c == '_' || (c >= '0' && c <= '9'))) break;
                    p++;
                }
                words++;
            } else if (c >= '0' && c <= '9') {
                while (p < end) {
                    c = text[p];
                    if (!((c >= '0' && c <= '9') || c == '.')) break;
                    p++;
                }
                numbers++;
            } else if (c == '"') {
                uniform bool open = true;
                while (open && p < end) {
                    c = text[p];
                    p++;
                    if (c == '\\') p++;
                    else if (c == '"') open = false;
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
