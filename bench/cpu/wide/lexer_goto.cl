// Counts of words, numbers, strings and other signs of each line.
kernel void lexer_goto(global const uchar* text, global int* tokens, int stride) {
    const int id = get_global_id(0);
    int p = id * stride;
    const int end = p + stride;
    int words = 0, numbers = 0, strings = 0, others = 0;
    uchar c;
start:
    if (p >= end) goto done;
    c = text[p++];
    if (c == ' ') goto start;
    if ((c >= 'a' && c <= 'z') || c == '_') goto word;
    if (c >= '0' && c <= '9') goto number;
    if (c == '"') goto string;
    others++;
    goto start;
word:
    if (p < end) {
        c = text[p];
        if ((c >= 'a' && c <= 'z') || c == '_' || (c >= '0' && c <= '9')) {
            p++;
            goto word;
        }
    }
    words++;
    goto start;
number:
    if (p < end) {
        c = text[p];
        if ((c >= '0' && c <= '9') || c == '.') {
            p++;
            goto number;
        }
    }
    numbers++;
    goto start;
string:
    if (p >= end) goto done;
    c = text[p++];
    if (c == '\\') {
        p++;
        goto string;
    }
    if (c != '"') goto string;
    strings++;
    goto start;
done:
    tokens[id * 4] = words;
    tokens[id * 4 + 1] = numbers;
    tokens[id * 4 + 2] = strings;
    tokens[id * 4 + 3] = others;
}
