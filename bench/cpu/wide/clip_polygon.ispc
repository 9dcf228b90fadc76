struct Polygon {
    float x[8];
    float y[8];
    int n;
};

static inline float side(float x, float y, uniform int edge) {
    return edge == 0 ? 1.0f - x : edge == 1 ? 1.0f + x : edge == 2 ? 1.0f - y : 1.0f + y;
}

static inline void clip(const varying Polygon* uniform from, varying Polygon* uniform to, uniform int edge) {
    int n = 0;
    for (int i = 0; i < from->n; i++) {
        const int j = i + 1 == from->n ? 0 : i + 1;
        const float ax = from->x[i];
        const float ay = from->y[i];
        const float bx = from->x[j];
        const float by = from->y[j];
        const float da = side(ax, ay, edge);
        const float db = side(bx, by, edge);
        if (da >= 0) {
            to->x[n] = ax;
            to->y[n] = ay;
            n++;
        }
        if ((da >= 0) != (db >= 0)) {
            const float t = da / (da - db);
            to->x[n] = ax + t * (bx - ax);
            to->y[n] = ay + t * (by - ay);
            n++;
        }
    }
    to->n = n;
}

export void clip_polygon(uniform const float xy[], uniform float area[], uniform int n, uniform int nx, uniform int ny,
                         uniform int nz) {
    foreach (id = 0 ... nx) {
        Polygon one;
        Polygon two;
        one.n = 3;
        for (uniform int i = 0; i < 3; i++) {
            one.x[i] = xy[(2 * i) * n + id];
            one.y[i] = xy[(2 * i + 1) * n + id];
        }
        clip(&one, &two, 0);
        clip(&two, &one, 1);
        clip(&one, &two, 2);
        clip(&two, &one, 3);
        float sum = 0;
        for (int i = 0; i < one.n; i++) {
            const int j = i + 1 == one.n ? 0 : i + 1;
            sum += one.x[i] * one.y[j] - one.y[i] * one.x[j];
        }
        area[id] = 0.5f * abs(sum);
    }
}
