kernel void steps(global uint* in) {}
