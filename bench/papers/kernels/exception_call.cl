// A callee that may throw, called at two places that work-items reach apart. With the given numbers nothing is
// ever thrown: what it costs is that it could be.
float checked_root(float x) {
    if (x < 0.0f)
        throw 1;
    return sqrt(x);
}

kernel void exception_call(global const float* in, global float* out, int rounds) {
    int i = get_global_id(0);
    float x = in[i], sum = 0.0f;
    try {
        if (i & 1)
            sum = checked_root(x);
        else
            sum = checked_root(x + 1.0f) * 2.0f;
        for (int r = 0; r < rounds; r++)
            sum = 0.5f * (sum + x / (sum + 0.1f));
    } catch (int code) {
        sum = -code;
    }
    out[i] = sum;
}
