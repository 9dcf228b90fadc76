kernel void steps(global const uint* in, global uint* out, uint each) { local int big[100000]; big[0] = 1; for (;;) big[1]++; }
