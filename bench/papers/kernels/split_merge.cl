// Four ways part by work-item, and two pairs of them call one function each that all share: by post-dominators
// the callers run it one after the other.
__attribute__((shared_region)) float series(float x) {
    float sum = 0.0f, term = 1.0f;
    for (int i = 1; i < 20; i++) {
        term *= x / i;
        sum += term;
    }
    return sum;
}

float first(float x) { return series(x) + 1.0f; }
float second(float x) { return 2.0f * series(0.5f * x); }
float third(float x) { return x * x; }
float fourth(float x) { return series(-x) * x; }

kernel void split_merge(global const float* in, global float* out, int rounds) {
    int i = get_global_id(0);
    float x = in[i];
    for (int round = 0; round < rounds; round++) {
        float r;
        switch ((i + round) & 3) {
        case 0: r = first(x); break;
        case 1: r = second(x); break;
        case 2: r = third(x); break;
        default: r = fourth(x);
        }
        x = r - floor(r);
    }
    out[i] = x;
}
