kernel void k(global int* o) { o[get_global_id(0)] = get_global_id(0) * 3; }
