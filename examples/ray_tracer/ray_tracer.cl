// A Sierpinski tetrahedron, lit by one lamp with shadows. Each node of the tree of bounding spheres is computed
// from its parent. Each ray keeps the nodes that it still has to visit on a small private stack, and rays
// visit different nodes.
#define DEEPEST 5
#define STACK 24

struct vec {
    float x, y, z;
};
struct vec make(float x, float y, float z) {
    struct vec v = {x, y, z};
    return v;
}
struct vec add(struct vec a, struct vec b, float times) {
    return make(a.x + times * b.x, a.y + times * b.y, a.z + times * b.z);
}
float dot3(struct vec a, struct vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
struct vec cross3(struct vec a, struct vec b) {
    return make(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
struct vec normal(struct vec v) { return add(make(0.0f, 0.0f, 0.0f), v, rsqrt(dot3(v, v))); }

// The corners of a tetrahedron around its centre.
constant struct vec corners[4] = {
    {0.0f, 1.732f, 0.0f}, {1.633f, -0.577f, 0.0f}, {-0.816f, -0.577f, 1.414f}, {-0.816f, -0.577f, -1.414f}};

struct hit {
    float t;
    struct vec normal;
};

// The nearest triangle that the ray hits; for shadows, whether there is one nearer than hit->t.
bool trace(struct vec from, struct vec way, bool shadow, struct hit* hit, uint* visits) {
    struct vec centres[STACK];
    int depths[STACK], top = 1;
    centres[0] = make(0.0f, 0.0f, 0.0f);
    depths[0] = 0;
    bool found = false;
    while (top > 0) {
        struct vec centre = centres[--top];
        int depth = depths[top];
        float size = ldexp(1.0f, -depth);
        ++*visits;
        struct vec to = add(centre, from, -1.0f);
        float along = dot3(to, way), off = dot3(to, to) - along * along;
        if (off > 3.0f * size * size || (along < 0.0f && dot3(to, to) > 3.0f * size * size) ||
            along > hit->t + 2.0f * size)
            continue;
        if (depth < DEEPEST) {
            if (top + 4 > STACK)
                return found;
            for (int i = 0; i < 4; i++) {
                centres[top] = add(centre, corners[i], 0.5f * size);
                depths[top++] = depth + 1;
            }
            continue;
        }
        for (int side = 0; side < 4; side++) {
            struct vec a = add(centre, corners[(side + 1) & 3], size);
            struct vec u = add(add(centre, corners[(side + 2) & 3], size), a, -1.0f);
            struct vec v = add(add(centre, corners[(side + 3) & 3], size), a, -1.0f);
            struct vec p = cross3(way, v);
            float d = dot3(u, p);
            if (fabs(d) < 1.0e-9f) continue;
            struct vec s = add(from, a, -1.0f);
            float b1 = dot3(s, p) / d;
            if (b1 < 0.0f || b1 > 1.0f) continue;
            struct vec q = cross3(s, u);
            float b2 = dot3(way, q) / d;
            if (b2 < 0.0f || b1 + b2 > 1.0f) continue;
            float t = dot3(v, q) / d;
            if (t < 0.001f || t >= hit->t) continue;
            if (shadow) return true;
            hit->t = t;
            hit->normal = cross3(u, v);
            found = true;
        }
    }
    return found;
}

kernel void ray_tracer(global float* image, global uint* work, int width, int height) {
    int x = get_global_id(0), y = get_global_id(1);
    struct vec eye = make(1.4f, 0.9f, -3.4f), lamp = normal(make(1.0f, 0.8f, -0.3f));
    struct vec front = normal(add(make(0.0f, 0.0f, 0.0f), eye, -1.0f));
    struct vec side = normal(cross3(make(0.0f, 1.0f, 0.0f), front)), up = cross3(front, side);
    struct vec way = add(front, side, 1.1f * (x - 0.48f * width) / height);
    way = normal(add(way, up, 1.1f * (0.6f * height - y) / height));
    uint visits = 0;
    struct hit hit = {1.0e20f, {0.0f, 0.0f, 0.0f}};
    float light = 0.1f;
    if (trace(eye, way, false, &hit, &visits)) {
        struct vec n = normal(hit.normal);
        if (dot3(n, way) > 0.0f)
            n = add(make(0.0f, 0.0f, 0.0f), n, -1.0f);
        struct vec place = add(eye, way, hit.t);
        light = 0.25f + 0.1f * n.y;
        struct hit shade = {1.0e20f, {0.0f, 0.0f, 0.0f}};
        if (dot3(n, lamp) > 0.0f && !trace(add(place, n, 0.002f), lamp, true, &shade, &visits))
            light += 0.65f * dot3(n, lamp);
    }
    image[y * width + x] = light;
    work[y * width + x] = visits;
}
