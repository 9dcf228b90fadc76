kernel void k(global int* o) { int i = get_global_id(0); for (int j = 0; j < i; j++) o[i] += j; }
