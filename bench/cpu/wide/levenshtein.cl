// Distance of each word to a query, one row of the table at a time; every number fits a byte.
#define MAXLEN 32
typedef unsigned char u8;

__kernel void levenshtein(__global const u8* words, __constant u8* query, __global int* distance, int length) {
    int id = get_global_id(0);
    __global const u8* word = words + id * MAXLEN;
    u8 row[MAXLEN + 1];
    for (int j = 0; j <= length; j++) row[j] = j;
    for (int i = 1; i <= length; i++) {
        u8 diagonal = row[0];
        row[0] = i;
        u8 c = word[i - 1];
        for (int j = 1; j <= length; j++) {
            u8 above = row[j];
            u8 cost = diagonal + (c == query[j - 1] ? 0 : 1);
            u8 best = min(above, row[j - 1]) + 1;
            row[j] = min(best, cost);
            diagonal = above;
        }
    }
    distance[id] = row[length];
}
