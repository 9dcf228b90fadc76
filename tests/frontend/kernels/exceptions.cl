// A helper that throws for negative inputs, calls of it in and outside of try.
static inline float root(float x) {
    if (x < 0.0f) throw 1;
    return sqrt(x);
}

int checked(int x) {
    if (x < 0) throw x;
    if (x > 1000) throw 2.5f;
    return x * 2;
}

kernel void caught(global const float* in, global float* out) {
    size_t i = get_global_id(0);
    try {
        out[i] = root(in[i]);
    } catch (int code) {
        out[i] = -code;
    }
}

kernel void uncaught(global const int* in, global int* out) {
    size_t i = get_global_id(0);
    out[i] = checked(in[i]);
}

kernel void rethrown(global const int* in, global int* out) {
    size_t i = get_global_id(0);
    out[i] = 0;
    try {
        try {
            out[i] = checked(in[i]);
        } catch (float f) {
            out[i] = (int)f;
            throw;
        } catch (...) {
            out[i] += 1;
            if (in[i] < -10) throw;
        }
    } catch (int code) {
        out[i] = code;
    }
}
