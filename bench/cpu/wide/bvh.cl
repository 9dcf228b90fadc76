// The nearest of many spheres in a tree of boxes, for parallel rays along z.
typedef struct {
    float lo[3];
    float radius;
    float hi[3];
    float unused;
} node_t;

__kernel void bvh(__global const node_t* tree, __global int* hits, __global float* nearest, int levels) {
    int px = get_global_id(0), py = get_global_id(1);
    int w = get_global_size(0), h = get_global_size(1);
    float x = -1.0f + 2.0f * (px + 0.5f) / w, y = -1.0f + 2.0f * (py + 0.5f) / h;
    int first_leaf = (1 << levels) - 1;
    int stack[32];
    int top = 0, hit = -1;
    float best = 10.0f;
    stack[top++] = 0;
    while (top > 0) {
        int k = stack[--top];
        __global const node_t* n = &tree[k];
        if (x < n->lo[0] || x > n->hi[0] || y < n->lo[1] || y > n->hi[1] || n->lo[2] > best) continue;
        if (k >= first_leaf) {
            float dx = x - 0.5f * (n->lo[0] + n->hi[0]), dy = y - 0.5f * (n->lo[1] + n->hi[1]);
            float d2 = n->radius * n->radius - dx * dx - dy * dy;
            if (d2 > 0) {
                float z = 0.5f * (n->lo[2] + n->hi[2]) - sqrt(d2);
                if (z < best) {
                    best = z;
                    hit = k - first_leaf;
                }
            }
        } else {
            stack[top++] = 2 * k + 1;
            stack[top++] = 2 * k + 2;
        }
    }
    hits[py * w + px] = hit;
    nearest[py * w + px] = best;
}
