// A throw in a loop that each work-item runs its own number of times. With the given numbers nothing is ever thrown.
kernel void exception_loop(global const float* in, global float* out, int rounds, float most) {
    int i = get_global_id(0);
    float x = in[i], sum = x;
    try {
        for (int k = 0; k < (i & 15); k++) {
            sum += 0.5f * x;
            if (sum > most)
                throw 3;
        }
        for (int r = 0; r < rounds; r++)
            sum = 0.5f * (sum + x / (sum + 0.1f));
    } catch (int code) {
        sum = -code;
    }
    out[i] = sum;
}
