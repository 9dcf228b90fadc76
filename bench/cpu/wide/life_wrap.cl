kernel void life_wrap(global const uchar* now, global uchar* next, int w, int h) {
    int x = get_global_id(0), y = get_global_id(1);
    int left = x == 0 ? w - 1 : x - 1, right = x == w - 1 ? 0 : x + 1;
    int up = y == 0 ? h - 1 : y - 1, down = y == h - 1 ? 0 : y + 1;
    uchar around = now[up * w + left] + now[up * w + x] + now[up * w + right] + now[y * w + left] + now[y * w + right] +
                   now[down * w + left] + now[down * w + x] + now[down * w + right];
    next[y * w + x] = around == 3 || (around == 2 && now[y * w + x]);
}
