// Counts of four kinds of symbols; a tree of 15 inner nodes, nodes below zero are symbols.
__constant short tree[15][2] = {{1, 2},    {-1, 3},   {4, 5},     {-2, 6},    {7, -3},
                                {8, 9},    {-4, -5},  {-6, 10},   {-7, 11},   {12, -8},
                                {-9, 13},  {-10, 14}, {-11, -12}, {-13, -14}, {-15, -16}};

kernel void huffman(global const uint* bits, global uint* counts, int words) {
    const int id = get_global_id(0), n = get_global_size(0);
    uint count[4] = {0, 0, 0, 0};
    int node = 0, left = 0, at = 0;
    uint word = 0;
    for (;;) {
        if (left == 0) {
            if (at == words) break;
            word = bits[at++ * n + id];
            left = 32;
        }
        node = tree[node][word & 1];
        word >>= 1;
        left--;
        if (node < 0) {
            count[-node & 3]++;
            node = 0;
        }
    }
    for (int k = 0; k < 4; k++) counts[id * 4 + k] = count[k];
}
