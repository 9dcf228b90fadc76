// Operands: ids, loads, atomic operations, private memory.
kernel void data(global int* in, global int* out, int n) {
    int i = get_global_id(0), group = get_group_id(0), r = 0;
    int own[4];
    own[0] = i;
    own[1] = n;
    if (n > 5) r += 1;                                // uniform
    if (group & 1) r += 2;                            // uniform
    if (in[group] > 3) r += 4;                        // uniform: one address
    if (in[i] > 3) r += 8;                            // divergent
    if (own[n & 1] > 8) r += 16;                      // divergent: each lane has its own
    if (atomic_add(&in[70], 1) & 1) r += 32;          // divergent: each lane gets another number
    switch (i & 3) {                                  // divergent
        case 0: r += 64; break;
        case 1: r += 128; break;
    }
    if ((int)get_local_size(0) > n) r += 256;         // uniform
    out[i] = r;
}
