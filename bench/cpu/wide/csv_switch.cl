// Fields of a line: the length of the longest one, and a checksum of all of them.
#define WIDTH 64
enum state { FIELD_START, IN_FIELD, AFTER_POINT, BLANK };

__kernel void csv_switch(__global const uchar* text, __global ushort* longest, __global uint* checksum) {
    const size_t line = get_global_id(0);
    __global const uchar* p = text + line * WIDTH;
    __global const uchar* const end = p + WIDTH;
    ushort length = 0, best = 0;
    uint sum = 0;
    enum state s = FIELD_START;
    for (; p < end; ++p) {
        switch (s) {
            case FIELD_START:
                length = 0;
                if (*p == ' ') {
                    s = BLANK;
                    break;
                }
                s = IN_FIELD; /* fall through */
            case IN_FIELD:
                if (*p == ',') {
                    if (length > best) best = length;
                    s = FIELD_START;
                } else if (*p == '.') {
                    s = AFTER_POINT;
                    length++;
                } else {
                    sum = sum * 33 + *p;
                    length++;
                }
                break;
            case AFTER_POINT:
                if (*p == ',' || *p == ' ') {
                    sum ^= sum >> 7;
                    s = *p == ',' ? FIELD_START : BLANK;
                } else {
                    length += 2;
                }
                break;
            case BLANK:
                if (*p == ',') s = FIELD_START;
                break;
        }
    }
    longest[line] = best;
    checksum[line] = sum;
}
