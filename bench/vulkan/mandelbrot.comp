// SPDX-License-Identifier: Apache-2.0
// examples/mandelbrot/mandelbrot.cl as one writes it in GLSL.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "launch.glsl"

layout(buffer_reference, scalar) writeonly buffer Steps { uint at[]; };
layout(buffer_reference, scalar) readonly buffer Params {
    uint64_t launch[8];
    Steps steps;
    int width;
    float left, top, step;
    int limit;
};
layout(push_constant, scalar) uniform Push { Params params; };

void main() {
    Params p = params;
    const int x = int(gl_GlobalInvocationID.x), y = int(gl_GlobalInvocationID.y);
    precise float cx = p.left + float(x) * p.step;
    precise float cy = p.top + float(y) * p.step;
    precise float zx = 0.0, zy = 0.0;
    const int limit = p.limit;
    int i;
    for (i = 0; i < limit; i++) {
        precise float xx = zx * zx;
        precise float yy = zy * zy;
        if (xx + yy > 4.0) break;
        zy = 2.0 * zx * zy + cy;
        zx = xx - yy + cx;
    }
    p.steps.at[y * p.width + x] = uint(i);
}
