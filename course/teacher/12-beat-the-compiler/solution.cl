// Two ideas. An odd number and the even one that follows are one step of two. And one loop in place of two: a
// lane that is done with a number takes its next one, while other lanes still count.
kernel void steps(global const uint* in, global uint* out, uint each) {
    uint at = get_global_id(0) * each, end = at + each, count = 0;
    uint n = in[at];
    while (at < end) {
        for (int s = 0; s < 16 && n != 1; s++) {
            uint odd = n & 1;
            n = (n >> 1) + (odd ? n + 1 : 0);
            count += 1 + odd;
        }
        if (n == 1) {
            out[at] = count;
            at++;
            count = 0;
            if (at < end) n = in[at];
        }
    }
}
