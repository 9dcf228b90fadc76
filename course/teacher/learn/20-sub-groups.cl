kernel void places(global const int* in, global int* out) {
    int i = get_global_id(0), odd = in[i] & 1;
    int before = sub_group_scan_exclusive_add(odd);
    out[i] = odd ? before : -1;
}
