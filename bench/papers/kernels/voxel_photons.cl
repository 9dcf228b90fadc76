// Photons through a block of voxels of two tissues, with reflection at their borders: what is simulated to see
// where light from outside goes. Long chains of conditions, and two ways of beginning anew from inside them.
#define N 16

float random(uint* state) {
    uint x = *state;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    *state = x;
    return (x >> 8) * 0x1p-24f + 0x1p-25f;
}

struct photon {
    float x, y, z, dx, dy, dz, weight, time, scatter;
};

void launch(struct photon* p, uint* state) {
    p->x = p->y = 0.5f * N;
    p->z = 0.01f;
    p->dx = p->dy = 0.0f;
    p->dz = 1.0f;
    p->weight = 1.0f;
    p->time = 0.0f;
    p->scatter = -log(random(state));
}

void turn(struct photon* p, uint* state) {
    float u = 2.0f * random(state) - 1.0f, phi = 6.2831853f * random(state), s = sqrt(1.0f - u * u);
    p->dx = s * cos(phi);
    p->dy = s * sin(phi);
    p->dz = u;
    p->scatter = -log(random(state));
}

// Energy is counted in whole units, so that the order of the additions does not matter.
kernel void voxel_photons(global const uchar* tissue, global int* energy, global int* ended, int quota, float latest,
                          int reflect) {
    uint state = 2654435769u * (uint)(get_global_id(0) + 1);
    struct photon p;
    int done = 0, medium = 0;
    float next = 0.0f;
    launch(&p, &state);
    while (done < quota) {
        if (p.scatter <= 0.0f)
            turn(&p, &state);
        float step = 0.5f, index = medium ? 1.5f : 1.3f;
        p.x += step * p.dx, p.y += step * p.dy, p.z += step * p.dz;
        p.time += step * index;
        p.scatter -= step * (medium ? 0.8f : 0.3f);
        p.weight *= medium ? 0.95f : 0.99f;
        bool outside = p.x < 0.0f || p.y < 0.0f || p.z < 0.0f || p.x >= N || p.y >= N || p.z >= N;
        int cell = outside ? 0 : ((int)p.z * N + (int)p.y) * N + (int)p.x;
        int ahead = outside ? 2 : tissue[cell];
        if (outside || p.time > latest || p.weight < 0.01f || ahead != medium) {
            if (reflect && p.time <= latest && p.weight >= 0.01f && (ahead != medium || p.z < 0.0f)) {
                float other = ahead == 2 ? 1.0f : ahead ? 1.5f : 1.3f, cosine = fabs(p.dz);
                float r0 = (index - other) / (index + other), r = r0 * r0 + (1.0f - r0 * r0) * pown(1.0f - cosine, 5);
                if (random(&state) > r) {
                    if (outside) {
                        atomic_add(&ended[0], 1);
                        launch(&p, &state);
                        medium = 0, next = 0.0f, done++;
                        continue;
                    }
                    p.dz = copysign(sqrt(fmax(1.0f - (1.0f - cosine * cosine) * (index / other), 0.01f)), p.dz);
                    medium = ahead;
                } else {
                    p.x -= step * p.dx, p.y -= step * p.dy, p.z -= step * p.dz;
                    p.dz = -p.dz;
                }
            } else if (outside || p.time > latest || p.weight < 0.01f) {
                atomic_add(&ended[outside ? 0 : p.time > latest ? 1 : 2], 1);
                launch(&p, &state);
                medium = 0, next = 0.0f, done++;
                continue;
            } else {
                medium = ahead;
            }
        }
        if (p.time >= next && !outside) {
            atomic_add(&energy[cell], (int)(1000.0f * p.weight));
            next += 2.0f;
        }
    }
}
