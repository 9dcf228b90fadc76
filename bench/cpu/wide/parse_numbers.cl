// Sum of the decimal numbers of each line.
typedef __global const char* text_t;

int is_digit(char c) { return c >= '0' && c <= '9'; }

__kernel void parse_numbers(__global const char* text, __global float* sums, __global int* counts, int stride) {
    text_t p = text + get_global_id(0) * stride, end = p + stride;
    float sum = 0;
    int count = 0;
    while (p < end) {
        char c = *p++;
        if (c == ' ' || c == ',' || c == '\n') continue;
        int negative = 0;
        if (c == '-') {
            negative = 1;
            if (p == end) break;
            c = *p++;
        }
        float value = 0;
        while (is_digit(c)) {
            value = value * 10 + (c - '0');
            if (p == end) break;
            c = *p++;
        }
        if (c == '.') {
            float scale = 0.1f;
            while (p < end && is_digit(*p)) {
                value += (*p++ - '0') * scale;
                scale *= 0.1f;
            }
        }
        sum += negative ? -value : value;
        count++;
    }
    sums[get_global_id(0)] = sum;
    counts[get_global_id(0)] = count;
}
