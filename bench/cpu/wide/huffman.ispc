static const uniform int16 tree[15][2] = {{1, 2},    {-1, 3},   {4, 5},     {-2, 6},    {7, -3},
                                          {8, 9},    {-4, -5},  {-6, 10},   {-7, 11},   {12, -8},
                                          {-9, 13},  {-10, 14}, {-11, -12}, {-13, -14}, {-15, -16}};

export void huffman(uniform const unsigned int bits[], uniform unsigned int counts[], uniform int words,
                    uniform int nx, uniform int ny, uniform int nz) {
    foreach (id = 0 ... nx) {
        unsigned int count[4] = {0, 0, 0, 0};
        int node = 0;
        for (uniform int at = 0; at < words; at++) {
            unsigned int word = bits[at * nx + id];
            for (uniform int left = 0; left < 32; left++) {
                node = tree[node][word & 1];
                word >>= 1;
                if (node < 0) {
                    count[-node & 3]++;
                    node = 0;
                }
            }
        }
        for (uniform int k = 0; k < 4; k++) counts[id * 4 + k] = count[k];
    }
}
