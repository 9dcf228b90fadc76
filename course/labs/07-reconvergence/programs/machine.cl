// A scanner with jumps between its states, inside of a structured loop.
kernel void machine(global const int* in, global int* out, int n) {
    int i = get_global_id(0), words = 0, numbers = 0, others = 0, at = 0;
    for (int round = 0; round < 3; round++) {
        at = round * 5;
        int c = 0;
    next:
        if (at >= n) goto done;
        c = in[(i * 7 + at++) & 63];
        if (c < 30) goto word;
        if (c < 60) goto number;
        others++;
        goto next;
    word:
        words++;
        while (at < n) {
            c = in[(i * 7 + at++) & 63];
            if (c >= 60) goto next;
            if (c >= 30) goto number;
        }
        goto done;
    number:
        numbers++;
        while (at < n) {
            c = in[(i * 7 + at++) & 63];
            if (c < 30) goto word;
            if (c >= 60) break;
            if (c == 59 && numbers > 4) goto done;
        }
        if (at < n) goto next;
    done:
        others += round;
    }
    out[i] = words * 10000 + numbers * 100 + others;
}
