static inline bool is_digit(int c) { return c >= 48 && c <= 57; }

export void parse_numbers(uniform const int8 text[], uniform float sums[], uniform int counts[], uniform int stride,
                          uniform int nx, uniform int ny, uniform int nz) {
    foreach (id = 0 ... nx) {
        int p = id * stride;
        int end = p + stride;
        float sum = 0;
        int count = 0;
        while (p < end) {
            int c = text[p];
            p++;
            if (c == 32 || c == 44 || c == 10) continue;
            bool negative = false;
            if (c == 45) {
                negative = true;
                if (p == end) break;
                c = text[p];
                p++;
            }
            float value = 0;
            while (is_digit(c)) {
                value = value * 10 + (c - 48);
                if (p == end) break;
                c = text[p];
                p++;
            }
            if (c == 46) {
                float scale = 0.1f;
                while (p < end && is_digit(text[p])) {
                    value += (text[p] - 48) * scale;
                    scale *= 0.1f;
                    p++;
                }
            }
            sum += negative ? -value : value;
            count++;
        }
        sums[id] = sum;
        counts[id] = count;
    }
}
