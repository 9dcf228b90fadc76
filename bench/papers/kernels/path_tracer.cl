// Light on paths through a room of spheres: one function finds what a ray meets, and the material there decides
// how the path goes on, or that it ends. The three kinds of surface each begin the next round by `continue`.
#define BOUNCES 8
enum surface { DIFFUSE, MIRROR, GLASS };
struct sphere {
    float x, y, z, radius, light, colour;
    int surface;
};
constant struct sphere scene[] = {
    {0.0f, -51.0f, 4.0f, 50.0f, 0.0f, 0.75f, DIFFUSE}, {-54.0f, 0.0f, 4.0f, 50.0f, 0.0f, 0.6f, DIFFUSE},
    {54.0f, 0.0f, 4.0f, 50.0f, 0.0f, 0.5f, DIFFUSE},  {0.0f, 0.0f, 58.0f, 50.0f, 0.0f, 0.8f, DIFFUSE},
    {-1.2f, 0.0f, 5.0f, 1.0f, 0.0f, 0.95f, MIRROR},       {1.2f, 0.0f, 4.0f, 1.0f, 0.0f, 0.95f, GLASS},
    {0.0f, 4.2f, 4.0f, 1.0f, 2.0f, 0.0f, DIFFUSE},
};
#define SPHERES (int)(sizeof(scene) / sizeof(scene[0]))

float random(uint* state) {
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 8) * 0x1p-24f;
}

int meet(float ox, float oy, float oz, float dx, float dy, float dz, float* nearest) {
    int which = -1;
    *nearest = 1.0e20f;
    for (int i = 0; i < SPHERES; i++) {
        float x = scene[i].x - ox, y = scene[i].y - oy, z = scene[i].z - oz;
        float b = x * dx + y * dy + z * dz, r = scene[i].radius, d = b * b - (x * x + y * y + z * z) + r * r;
        if (d < 0.0f) continue;
        d = sqrt(d);
        float t = b - d > 0.01f ? b - d : b + d;
        if (t < 0.01f || t >= *nearest) continue;
        *nearest = t;
        which = i;
    }
    return which;
}

float radiance(float dx, float dy, float dz, uint* state) {
    float ox = 0.0f, oy = 0.5f, oz = -4.0f, light = 0.0f, share = 1.0f, t;
    for (int bounce = 0;; bounce++) {
        int i = meet(ox, oy, oz, dx, dy, dz, &t);
        if (i < 0) return light + share * (0.5f + 0.5f * dy);
        light += share * scene[i].light;
        if (bounce > 3 && random(state) >= scene[i].colour) return light;
        if (bounce == BOUNCES) return light;
        share *= bounce > 3 ? 1.0f : scene[i].colour;
        ox += t * dx, oy += t * dy, oz += t * dz;
        float r = scene[i].radius;
        float nx = (ox - scene[i].x) / r, ny = (oy - scene[i].y) / r, nz = (oz - scene[i].z) / r;
        float along = nx * dx + ny * dy + nz * dz;
        if (scene[i].surface == DIFFUSE) {
            float phi = 6.2831853f * random(state), u = 2.0f * random(state) - 1.0f, s = sqrt(1.0f - u * u);
            dx = s * cos(phi), dy = s * sin(phi), dz = u;
            float turned = nx * dx + ny * dy + nz * dz;
            if ((turned < 0.0f) != (along > 0.0f)) dx = -dx, dy = -dy, dz = -dz;
            continue;
        }
        if (scene[i].surface == MIRROR) {
            dx -= 2.0f * along * nx, dy -= 2.0f * along * ny, dz -= 2.0f * along * nz;
            continue;
        }
        float ratio = along < 0.0f ? 1.0f / 1.5f : 1.5f, inner = 1.0f - ratio * ratio * (1.0f - along * along);
        float c = 1.0f - fabs(along), reflected = 0.04f + 0.96f * c * c * c * c * c;
        if (inner < 0.0f || random(state) < reflected) {
            dx -= 2.0f * along * nx, dy -= 2.0f * along * ny, dz -= 2.0f * along * nz;
            continue;
        }
        float k = copysign(sqrt(inner), along) - ratio * along;
        dx = ratio * dx + k * nx, dy = ratio * dy + k * ny, dz = ratio * dz + k * nz;
    }
}

kernel void path_tracer(global float* image, int width, int height, int samples) {
    int px = get_global_id(0), py = get_global_id(1);
    uint state = (uint)(py * width + px) * 747796405u + 2891336453u;
    float sum = 0.0f;
    for (int i = 0; i < samples; i++) {
        float dx = (px + random(&state) - 0.5f * width) / height, dy = (0.5f * height - py - random(&state)) / height;
        float scale = 1.0f / sqrt(dx * dx + dy * dy + 1.0f);
        sum += radiance(dx * scale, dy * scale, scale, &state);
    }
    image[py * width + px] = sum / samples;
}
