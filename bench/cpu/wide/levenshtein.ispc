#define MAXLEN 32
export void levenshtein(uniform const uint8 words[], uniform const uint8 query[], uniform int distance[],
                        uniform int length, uniform int nx, uniform int ny, uniform int nz) {
    foreach (id = 0 ... nx) {
        uint8 row[MAXLEN + 1];
        for (uniform int j = 0; j <= length; j++) row[j] = (uint8)j;
        for (uniform int i = 1; i <= length; i++) {
            uint8 diagonal = row[0];
            row[0] = (uint8)i;
            uint8 c = words[id * MAXLEN + i - 1];
            for (uniform int j = 1; j <= length; j++) {
                uint8 above = row[j];
                uint8 cost = diagonal + (c == query[j - 1] ? (uint8)0 : (uint8)1);
                uint8 left = row[j - 1];
                uint8 best = (above < left ? above : left) + (uint8)1;
                row[j] = best < cost ? best : cost;
                diagonal = above;
            }
        }
        distance[id] = row[length];
    }
}
