// The words of the exception syntax are ordinary names where the syntax says so; what arrives decides a rethrow.
int checked(int x) {
    if (x < 0) throw x;
    if (x > 1000) throw 2.5f;
    return x * 2;
}

kernel void anything(global int* out) {
    int catch = 3, throw = 4, try = 5;  // ordinary names where the syntax says so
    try {
        if (out[0] > 1) { try { checked(out[1]); } catch (...) { out[2] = 1; throw; } }
    } catch (int e) {
        out[3] = catch + throw + try;
        out[4] = e;
    } catch (float f) {
        out[5] = (int)(f * 2);
    }
}
