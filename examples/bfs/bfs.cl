// Breadth-first search: one launch for each level, until no work-item finds a new node.
// The graph is made here, too: node i has edges to DEGREE others that a hash of i chooses.
#define DEGREE 3

uint hash(uint x) {
    x = (x ^ 61) ^ (x >> 16);
    x *= 9;
    x ^= x >> 4;
    x *= 0x27d4eb2d;
    return x ^ (x >> 15);
}

kernel void make_graph(global int* starts, global int* edges, int nodes) {
    int i = get_global_id(0);
    if (i > nodes) return;
    starts[i] = DEGREE * i;
    if (i == nodes) return;
    for (int k = 0; k < DEGREE; k++) edges[DEGREE * i + k] = hash(DEGREE * i + k) % (uint)nodes;
}

kernel void expand(global const int* starts, global const int* edges, global int* levels, global int* found,
                   int level, int nodes) {
    int i = get_global_id(0);
    if (i >= nodes || levels[i] != level) return;
    for (int e = starts[i]; e < starts[i + 1]; e++)
        if (atomic_cmpxchg(levels + edges[e], -1, level + 1) == -1) atomic_inc(found);
}
