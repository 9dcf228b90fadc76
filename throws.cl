kernel void k(global int* o) { int i = get_global_id(0); if (i > 3) throw i; o[i] = i; }
