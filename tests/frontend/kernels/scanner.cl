/* Counts words, numbers and comments in one slice of a text.
   The states of the scanner are labels. */
typedef unsigned char byte;

kernel void scanner(global const uchar* text, uint stride, global uint* words, global uint* numbers, global uint* comments) {
    size_t id = get_global_id(0);
    global const byte* p = text + id * stride;
    global const byte* end = p + stride;
    uint w = 0, n = 0, c = 0;
    uchar ch;

start:
    if (p == end) goto done;
    ch = *p++;
    if ((ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || ch == '_') { w++; goto word; }
    if (ch >= '0' && ch <= '9') { n++; goto number; }
    if (ch == '/') goto slash;
    goto start;
word:
    if (p == end) goto done;
    ch = *p++;
    if ((ch | 32) >= 'a' && (ch | 32) <= 'z') goto word;
    if (ch >= '0' && ch <= '9') goto word;
    if (ch == '/') goto slash;
    goto start;
number:
    if (p == end) goto done;
    ch = *p++;
    if (ch >= '0' && ch <= '9' || ch == '.') goto number;
    if (ch == '/') goto slash;
    goto start;
slash:
    if (p == end) goto done;
    ch = *p++;
    if (ch == '*') { c++; goto comment; }
    if (ch == '/') goto slash;
    goto start;
comment:
    if (p == end) goto done;
    ch = *p++;
    if (ch != '*') goto comment;
star:
    if (p == end) goto done;
    ch = *p++;
    if (ch == '*') goto star;
    if (ch == '/') goto start;
    goto comment;
done:
    words[id] = w;
    numbers[id] = n;
    comments[id] = c;
}
