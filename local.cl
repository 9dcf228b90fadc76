kernel void k(global int* o) { local int s[2]; s[0] = 1; o[get_global_id(0)] = s[0]; }
