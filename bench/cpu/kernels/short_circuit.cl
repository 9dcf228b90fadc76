// Conditions with short circuits, and work behind each of them, in a loop.
float heavy(float x, float a, float b) {
    for (int i = 0; i < 16; i++) x = a * x * (1.0f - x) + b;
    return x;
}

kernel void short_circuit(global const float* in, global float* out, int rounds, float low, float high) {
    int i = get_global_id(0);
    float x = in[i];
    for (int r = 0; r < rounds; r++) {
        if ((x < low || (heavy(x, 3.7f, 0.01f) > 0.3f && x < high)) && heavy(x, 2.9f, 0.05f) < 0.7f)
            x = heavy(x, 3.9f, 0.02f);
        else
            x = x * 0.5f + 0.1f * (float)(r & 7);
    }
    out[i] = x;
}
