export void gravity4(uniform const float pos[], uniform const float vel[], uniform float new_pos[], uniform int n,
                     uniform float dt, uniform float eps, uniform int nx, uniform int ny, uniform int nz) {
    foreach (i = 0 ... nx) {
        const float x = pos[4 * i];
        const float y = pos[4 * i + 1];
        const float z = pos[4 * i + 2];
        float ax = 0;
        float ay = 0;
        float az = 0;
        for (uniform int j = 0; j < n; j++) {
            const float dx = pos[4 * j] - x;
            const float dy = pos[4 * j + 1] - y;
            const float dz = pos[4 * j + 2] - z;
            const float inv = 1.0f / sqrt(dx * dx + dy * dy + dz * dz + eps);
            const float s = pos[4 * j + 3] * inv * inv * inv;
            ax += s * dx;
            ay += s * dy;
            az += s * dz;
        }
        new_pos[4 * i] = x + (vel[4 * i] + ax * dt) * dt;
        new_pos[4 * i + 1] = y + (vel[4 * i + 1] + ay * dt) * dt;
        new_pos[4 * i + 2] = z + (vel[4 * i + 2] + az * dt) * dt;
        new_pos[4 * i + 3] = pos[4 * i + 3];
    }
}
