// A condition of nine terms, each of which costs something, so that none is evaluated in vain.
bool test(float x, float y, int k) {
    float v = x * (k + 1) + y;
    return v - floor(v) < 0.5f;
}

kernel void short_circuit(global const float* in, global int* out, int rounds) {
    int i = get_global_id(0), hits = 0;
    float x = in[i];
    for (int r = 0; r < rounds; r++) {
        float y = 0.37f * r;
        if (((test(x, y, 0) && (test(x, y, 1) || test(x, y, 2))) || (test(x, y, 3) || (test(x, y, 4) && test(x, y, 5)))) &&
            (test(x, y, 6) || (test(x, y, 7) && test(x, y, 8))))
            hits++;
        else
            hits += 1000;
    }
    out[i] = hits;
}
