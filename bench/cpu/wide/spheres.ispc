struct Sphere {
    float x, y, z, radius, vx, vy, vz, mass;
};

export void spheres(uniform const Sphere s[], uniform float force[], uniform int n, uniform int nx, uniform int ny,
                    uniform int nz) {
    foreach (i = 0 ... nx) {
        const Sphere me = s[i];
        float fx = 0;
        float fy = 0;
        float fz = 0;
        for (uniform int j = 0; j < n; j++) {
            const uniform Sphere other = s[j];
            const float dx = me.x - other.x;
            const float dy = me.y - other.y;
            const float dz = me.z - other.z;
            const float reach = 0.2f * (abs(me.radius) + abs(other.radius));
            const float d2 = dx * dx + dy * dy + dz * dz;
            if (d2 < reach * reach && d2 > 0.0f) {
                const float length = sqrt(d2);
                const float damping =
                    ((me.vx - other.vx) * dx + (me.vy - other.vy) * dy + (me.vz - other.vz) * dz) / length;
                const float push = (50.0f * (reach - length) - 0.5f * damping) / length;
                fx += push * dx;
                fy += push * dy;
                fz += push * dz;
            }
        }
        force[3 * i] = fx;
        force[3 * i + 1] = fy;
        force[3 * i + 2] = fz;
    }
}
