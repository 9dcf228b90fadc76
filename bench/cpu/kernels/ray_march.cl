// Distance-field rendering: steps along a ray until it is near a surface or far away, the field being the minimum over
// spheres of a loop with an early break; then a shadow ray of the same kind.
float distance_to_scene(float x, float y, float z, int count) {
    float nearest = y + 1.0f;
    for (int i = 0; i < count; i++) {
        float cx = (float)(i % 3) * 1.5f - 1.5f, cz = (float)(i / 3) * 1.5f + 3.0f;
        float dx = x - cx, dz = z - cz;
        float d = sqrt(dx * dx + y * y + dz * dz) - 0.6f;
        nearest = fmin(nearest, d);
        if (nearest < 0.001f) break;
    }
    return nearest;
}

kernel void ray_march(global float* image, int width, int height, int steps, int count) {
    int px = get_global_id(0), py = get_global_id(1);
    float dx = (px - width * 0.5f) / height, dy = (height * 0.5f - py) / height, dz = 1.0f;
    float scale = 1.0f / sqrt(dx * dx + dy * dy + dz * dz);
    dx *= scale;
    dy *= scale;
    dz *= scale;
    float t = 0.0f, brightness = 0.0f;
    for (int i = 0; i < steps; i++) {
        float d = distance_to_scene(dx * t, dy * t, dz * t, count);
        if (d < 0.001f) {
            float x = dx * t, y = dy * t, z = dz * t;
            float s = 0.02f, light = 1.0f;
            while (s < 4.0f) {
                float h = distance_to_scene(x + 0.5f * s, y + 0.7f * s, z - 0.5f * s, count);
                if (h < 0.001f) {
                    light = 0.2f;
                    break;
                }
                light = fmin(light, 8.0f * h / s);
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
