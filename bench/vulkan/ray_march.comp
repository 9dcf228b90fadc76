// SPDX-License-Identifier: Apache-2.0
// bench/cpu/kernels/ray_march.cl as one writes it in GLSL.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "launch.glsl"

layout(buffer_reference, scalar) writeonly buffer Image { float at[]; };
layout(buffer_reference, scalar) readonly buffer Params {
    uint64_t launch[8];
    Image image;
    int width, height, steps, count;
};
layout(push_constant, scalar) uniform Push { Params params; };

float distance_to_scene(float x, float y, float z, int count) {
    precise float nearest = y + 1.0;
    for (int i = 0; i < count; i++) {
        precise float cx = float(i % 3) * 1.5 - 1.5, cz = float(i / 3) * 1.5 + 3.0;
        precise float dx = x - cx, dz = z - cz;
        precise float d = sqrt(dx * dx + y * y + dz * dz) - 0.6;
        nearest = min(nearest, d);
        if (nearest < 0.001) break;
    }
    return nearest;
}

void main() {
    Params p = params;
    const int px = int(gl_GlobalInvocationID.x), py = int(gl_GlobalInvocationID.y), count = p.count;
    precise float dx = (float(px) - float(p.width) * 0.5) / float(p.height);
    precise float dy = (float(p.height) * 0.5 - float(py)) / float(p.height), dz = 1.0;
    precise float scale = 1.0 / sqrt(dx * dx + dy * dy + dz * dz);
    dx *= scale;
    dy *= scale;
    dz *= scale;
    precise float t = 0.0, brightness = 0.0;
    const int steps = p.steps;
    for (int i = 0; i < steps; i++) {
        precise float d = distance_to_scene(dx * t, dy * t, dz * t, count);
        if (d < 0.001) {
            precise float x = dx * t, y = dy * t, z = dz * t;
            precise float s = 0.02, light = 1.0;
            while (s < 4.0) {
                precise float h = distance_to_scene(x + 0.5 * s, y + 0.7 * s, z - 0.5 * s, count);
                if (h < 0.001) {
                    light = 0.2;
                    break;
                }
                light = min(light, 8.0 * h / s);
                s += h;
            }
            brightness = light;
            break;
        }
        t += d;
        if (t > 20.0) break;
    }
    p.image.at[py * p.width + px] = brightness;
}
