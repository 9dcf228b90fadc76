// A throw in a branch within a branch. With the given numbers nothing is ever thrown.
kernel void exception_cond(global const float* in, global float* out, int rounds, float most) {
    int i = get_global_id(0);
    float x = in[i], sum = x;
    try {
        if (i % 3 == 0) {
            sum += 1.0f;
            if (x > most)
                throw 2;
            sum *= 1.5f;
        } else {
            sum -= 0.25f;
        }
        for (int r = 0; r < rounds; r++)
            sum = 0.5f * (sum + x / (sum + 0.1f));
    } catch (int code) {
        sum = -code;
    }
    out[i] = sum;
}
