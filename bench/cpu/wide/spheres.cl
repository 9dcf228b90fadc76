// Forces between soft spheres that overlap.
typedef struct {
    float x, y, z;
} vec;

typedef struct {
    vec position;
    float radius;
    vec velocity;
    float mass;
} sphere;

vec difference(vec a, vec b) {
    vec r = {a.x - b.x, a.y - b.y, a.z - b.z};
    return r;
}
float inner(vec a, vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

void add_force(vec* force, const sphere* me, const sphere* other) {
    vec d = difference(me->position, other->position);
    float reach = 0.2f * (fabs(me->radius) + fabs(other->radius));
    float d2 = inner(d, d);
    if (d2 < reach * reach && d2 > 0.0f) {
        float length = sqrt(d2);
        vec v = difference(me->velocity, other->velocity);
        float damping = inner(v, d) / length;
        float push = (50.0f * (reach - length) - 0.5f * damping) / length;
        force->x += push * d.x;
        force->y += push * d.y;
        force->z += push * d.z;
    }
}

__kernel void spheres(__global const sphere* s, __global float* force, int n) {
    int i = get_global_id(0);
    sphere me = s[i];
    vec f = {0, 0, 0};
    for (int j = 0; j < n; j++) {
        sphere other = s[j];
        add_force(&f, &me, &other);
    }
    force[3 * i] = f.x;
    force[3 * i + 1] = f.y;
    force[3 * i + 2] = f.z;
}
