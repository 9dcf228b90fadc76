struct Node {
    float lo[3];
    float radius;
    float hi[3];
    float unused;
};

export void bvh(uniform const Node tree[], uniform int hits[], uniform float nearest[], uniform int levels,
                uniform int w, uniform int h, uniform int nz) {
    const uniform int first_leaf = (1 << levels) - 1;
    foreach (py = 0 ... h, px = 0 ... w) {
        const float x = -1.0f + 2.0f * (px + 0.5f) / w;
        const float y = -1.0f + 2.0f * (py + 0.5f) / h;
        int stack[32];
        int top = 1;
        int hit = -1;
        float best = 10.0f;
        stack[0] = 0;
        while (top > 0) {
            top--;
            const int k = stack[top];
            if (x < tree[k].lo[0] || x > tree[k].hi[0] || y < tree[k].lo[1] || y > tree[k].hi[1] || tree[k].lo[2] > best)
                continue;
            if (k >= first_leaf) {
                const float dx = x - 0.5f * (tree[k].lo[0] + tree[k].hi[0]);
                const float dy = y - 0.5f * (tree[k].lo[1] + tree[k].hi[1]);
                const float d2 = tree[k].radius * tree[k].radius - dx * dx - dy * dy;
                if (d2 > 0) {
                    const float z = 0.5f * (tree[k].lo[2] + tree[k].hi[2]) - sqrt(d2);
                    if (z < best) {
                        best = z;
                        hit = k - first_leaf;
                    }
                }
            } else {
                stack[top] = 2 * k + 1;
                stack[top + 1] = 2 * k + 2;
                top += 2;
            }
        }
        hits[py * w + px] = hit;
        nearest[py * w + px] = best;
    }
}

// One stack for the rays of a tile: a node is visited if any of them meets it.
export void bvh_expert(uniform const Node tree[], uniform int hits[], uniform float nearest[], uniform int levels,
                       uniform int w, uniform int h, uniform int nz) {
    const uniform int first_leaf = (1 << levels) - 1;
    foreach_tiled (py = 0 ... h, px = 0 ... w) {
        const float x = -1.0f + 2.0f * (px + 0.5f) / w;
        const float y = -1.0f + 2.0f * (py + 0.5f) / h;
        uniform int stack[32];
        uniform int top = 1;
        int hit = -1;
        float best = 10.0f;
        stack[0] = 0;
        while (top > 0) {
            top--;
            const uniform int k = stack[top];
            uniform const Node* uniform n = &tree[k];
            const bool meets = !(x < n->lo[0] || x > n->hi[0] || y < n->lo[1] || y > n->hi[1] || n->lo[2] > best);
            if (!any(meets)) continue;
            if (k >= first_leaf) {
                const float dx = x - 0.5f * (n->lo[0] + n->hi[0]);
                const float dy = y - 0.5f * (n->lo[1] + n->hi[1]);
                const float d2 = n->radius * n->radius - dx * dx - dy * dy;
                if (meets && d2 > 0) {
                    const float z = 0.5f * (n->lo[2] + n->hi[2]) - sqrt(d2);
                    if (z < best) {
                        best = z;
                        hit = k - first_leaf;
                    }
                }
            } else {
                stack[top] = 2 * k + 1;
                stack[top + 1] = 2 * k + 2;
                top += 2;
            }
        }
        hits[py * w + px] = hit;
        nearest[py * w + px] = best;
    }
}
