// Counts the tokens of a small language, one line of `stride` bytes for each work-item. The scanner is a
// state machine written as one: states are labels, transitions are gotos, and every work-item is in a
// state of its own. out[4 * i ...] = words, numbers, strings, and the position of the first error or -1.
kernel void scanner(global const uchar* text, int stride, global int* out) {
    int line = get_global_id(0);
    global const uchar* at = text + (size_t)line * stride;
    int left = stride;
    int words = 0, numbers = 0, strings = 0, error = -1;
    uchar c;

between:
    if (left == 0) goto done;
    c = *at++;
    left--;
    if (c == ' ' || c == ',' || c == ';') goto between;
    if (c == '"') goto string;
    if (c >= '0' && c <= '9') goto digits;
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_') goto word;
    if (c == '#') goto done;             // a comment up to the end of the line
    goto bad;

word:
    if (left == 0) { words++; goto done; }
    c = *at++;
    left--;
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_') goto word;
    words++;
    if (c == '"') goto string;
    if (c == '#') goto done;
    if (c == ' ' || c == ',' || c == ';') goto between;
    goto bad;

digits:
    if (left == 0) { numbers++; goto done; }
    c = *at++;
    left--;
    if (c >= '0' && c <= '9') goto digits;
    if (c == '.') goto fraction;
    numbers++;
    if (c == '#') goto done;
    if (c == ' ' || c == ',' || c == ';') goto between;
    goto bad;

fraction:
    if (left == 0) { numbers++; goto done; }
    c = *at++;
    left--;
    if (c >= '0' && c <= '9') goto fraction;
    numbers++;
    if (c == '#') goto done;
    if (c == ' ' || c == ',' || c == ';') goto between;
    goto bad;

string:
    if (left == 0) goto bad;             // the string is not closed
    c = *at++;
    left--;
    if (c == '\\') goto escape;
    if (c != '"') goto string;
    strings++;
    goto between;

escape:
    if (left == 0) goto bad;
    c = *at++;
    left--;
    if (c == 'n' || c == 't' || c == '"' || c == '\\') goto string;

bad:
    error = stride - left - 1;

done:
    out[4 * line] = words;
    out[4 * line + 1] = numbers;
    out[4 * line + 2] = strings;
    out[4 * line + 3] = error;
}
