// Conditions with short circuits, and work behind each of them, in a loop.
float heavy(float x, float a, float b) {
    for (int i = 0; i < 8; i++) x = x * a + b / (1.0f + x * x);
    return x;
}

kernel void short_circuit(global const float* in, global float* out, int rounds, float low, float high) {
    int i = get_global_id(0);
    float x = in[i];
    for (int r = 0; r < rounds; r++) {
        if ((x < low || (heavy(x, 0.5f, 0.25f) > 0.3f && x < high)) && heavy(x, 0.75f, -0.5f) < 0.6f)
            x = heavy(x, 0.875f, 0.375f);
        else
            x = x * 0.5f + 0.1f * (float)(r & 7);
    }
    out[i] = x;
}
