// Partition and concurrent merge: neighbours hold sorted rows of four; even ones merge the low half from the front, odd
// ones the high half from the back, then both rows are where they belong, and the pairs alternate.
#define ROW 4
kernel void pcm(global int* data) {
    local int from[256 * ROW], to[256 * ROW];
    int t = get_local_id(0), n = get_local_size(0), first = get_group_id(0) * n * ROW;
    for (int k = 0; k < ROW; k++) from[t * ROW + k] = data[first + t * ROW + k];
    for (int i = 1; i < ROW; i++)
        for (int k = i; k > 0; k--) {
            int a = from[t * ROW + k - 1], b = from[t * ROW + k];
            if (a <= b) break;
            from[t * ROW + k - 1] = b;
            from[t * ROW + k] = a;
        }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int round = 0; round < n; round++) {
        int low = ((t - (round & 1)) & ~1) + (round & 1), mine = t * ROW;
        if (low >= 0 && low + 1 < n) {
            if (t == low) {
                int a = low * ROW, b = a + ROW;
                for (int k = 0; k < ROW; k++) {
                    int x = from[a], y = from[b];
                    if (x <= y) {
                        to[mine + k] = x;
                        a++;
                    } else {
                        to[mine + k] = y;
                        b++;
                    }
                }
            } else {
                int a = low * ROW + ROW - 1, b = a + ROW;
                for (int k = ROW - 1; k >= 0; k--) {
                    int x = from[a], y = from[b];
                    if (x > y) {
                        to[mine + k] = x;
                        a--;
                    } else {
                        to[mine + k] = y;
                        b--;
                    }
                }
            }
        } else {
            for (int k = 0; k < ROW; k++) to[mine + k] = from[mine + k];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < ROW; k++) from[mine + k] = to[mine + k];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int k = 0; k < ROW; k++) data[first + t * ROW + k] = from[t * ROW + k];
}
