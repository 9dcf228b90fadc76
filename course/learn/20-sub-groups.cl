// Work-items that run together can exchange values without memory. Each work-item with an odd number gets its place
// among those of its sub-group: 0, 1, 2 and so on. All others store -1. There are 32 lanes.
// NOT DONE
kernel void places(global const int* in, global int* out) {
    int i = get_global_id(0), odd = in[i] & 1;
    int before = sub_group_reduce_add(odd);
    out[i] = odd ? before : -1;
}
