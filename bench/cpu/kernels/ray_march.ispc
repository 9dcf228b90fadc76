static inline float distance_to_scene(float x, float y, float z, uniform int count) {
    float nearest = y + 1.0f;
    for (uniform int i = 0; i < count; i++) {
        const uniform float cx = (i % 3) * 1.5f - 1.5f;
        const uniform float cz = (i / 3) * 1.5f + 3.0f;
        const float dx = x - cx;
        const float dz = z - cz;
        nearest = min(nearest, sqrt(dx * dx + y * y + dz * dz) - 0.6f);
        if (nearest < 0.001f) break;
    }
    return nearest;
}

export void ray_march(uniform float image[], uniform int width, uniform int height, uniform int steps,
                      uniform int count, uniform int nx, uniform int ny, uniform int nz) {
    for (uniform int py = 0; py < height; py++)
        foreach (px = 0 ... width) {
            float dx = (px - width * 0.5f) / height;
            float dy = (height * 0.5f - py) / height;
            float dz = 1.0f;
            const float scale = 1.0f / sqrt(dx * dx + dy * dy + dz * dz);
            dx *= scale;
            dy *= scale;
            dz *= scale;
            float t = 0.0f;
            float brightness = 0.0f;
            for (uniform int i = 0; i < steps; i++) {
                const float d = distance_to_scene(dx * t, dy * t, dz * t, count);
                if (d < 0.001f) {
                    const float x = dx * t;
                    const float y = dy * t;
                    const float z = dz * t;
                    float s = 0.02f;
                    float light = 1.0f;
                    while (s < 4.0f) {
                        const float h = distance_to_scene(x + 0.5f * s, y + 0.7f * s, z - 0.5f * s, count);
                        if (h < 0.001f) {
                            light = 0.2f;
                            break;
                        }
                        light = min(light, 8.0f * h / s);
                        s += h;
                    }
                    brightness = light;
                    break;
                }
                t += d;
                if (t > 20.0f) break;
            }
            image[py * width + px] = brightness;
        }
}
