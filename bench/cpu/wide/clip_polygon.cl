// Areas of triangles clipped to a square, by Sutherland and Hodgman.
typedef struct {
    float x, y;
} point;
typedef struct {
    point p[8];
    int n;
} polygon;

float side(point p, int edge) {
    switch (edge) {
        case 0: return 1.0f - p.x;
        case 1: return 1.0f + p.x;
        case 2: return 1.0f - p.y;
        default: return 1.0f + p.y;
    }
}

void clip(const polygon* from, polygon* to, int edge) {
    to->n = 0;
    for (int i = 0; i < from->n; i++) {
        point a = from->p[i], b = from->p[i + 1 == from->n ? 0 : i + 1];
        float da = side(a, edge), db = side(b, edge);
        if (da >= 0) to->p[to->n++] = a;
        if ((da >= 0) != (db >= 0)) {
            float t = da / (da - db);
            point c = {a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
            to->p[to->n++] = c;
        }
    }
}

__kernel void clip_polygon(__global const float* xy, __global float* area, int n) {
    int id = get_global_id(0);
    polygon one, two;
    one.n = 3;
    for (int i = 0; i < 3; i++) {
        one.p[i].x = xy[(2 * i) * n + id];
        one.p[i].y = xy[(2 * i + 1) * n + id];
    }
    clip(&one, &two, 0);
    clip(&two, &one, 1);
    clip(&one, &two, 2);
    clip(&two, &one, 3);
    float sum = 0;
    for (int i = 0; i < one.n; i++) {
        point a = one.p[i], b = one.p[(i + 1) % one.n];
        sum += a.x * b.y - a.y * b.x;
    }
    area[id] = 0.5f * fabs(sum);
}
