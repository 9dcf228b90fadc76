// Newton's method for square roots, one number for each work-item. Some work-items throw from inside the
// helper's loop; they reconverge with the others after the handler. An exception without a handler ends its
// work-item, and the launch reports it.
float root(float x, int limit) {
    if (x < 0.0f)
        throw 1;                          // caught: no real root
    if (x > 1000000.0f)
        throw 2.5f;                       // another type: not caught by catch (int)
    float guess = x > 1.0f ? x : 1.0f;
    for (int i = 0; ; i++) {
        float next = 0.5f * (guess + x / guess);
        if (next >= guess)
            return guess;
        if (i == limit)
            throw 2;                      // caught: did not converge
        guess = next;
    }
}

kernel void exceptions(global const float* in, global float* out, int limit) {
    int i = get_global_id(0);
    try {
        out[i] = root(in[i], limit);
    } catch (int code) {
        out[i] = -code;
    }
}
