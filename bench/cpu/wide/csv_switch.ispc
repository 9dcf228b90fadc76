#define WIDTH 64
export void csv_switch(uniform const uint8 text[], uniform uint16 longest[], uniform unsigned int checksum[],
                       uniform int nx, uniform int ny, uniform int nz) {
    foreach (line = 0 ... nx) {
        int length = 0;
        int best = 0;
        int s = 0;
        unsigned int sum = 0;
        for (uniform int k = 0; k < WIDTH; k++) {
            const unsigned int c = text[line * WIDTH + k];
            if (s == 0) {
                length = 0;
                s = c == 32 ? 3 : 1;
                if (s == 3) continue;
            }
            if (s == 1) {
                if (c == 44) {
                    best = max(best, length);
                    s = 0;
                } else if (c == 46) {
                    s = 2;
                    length++;
                } else {
                    sum = sum * 33 + c;
                    length++;
                }
            } else if (s == 2) {
                if (c == 44 || c == 32) {
                    sum ^= sum >> 7;
                    s = c == 44 ? 0 : 3;
                } else {
                    length += 2;
                }
            } else if (c == 44) {
                s = 0;
            }
        }
        longest[line] = (uint16)best;
        checksum[line] = sum;
    }
}
