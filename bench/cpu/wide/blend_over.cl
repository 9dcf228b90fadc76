// Porter and Duff's "over"; colours are already multiplied by alpha.
__kernel void blend_over(__global const uchar4* src, __global uchar4* dst) {
    const int i = get_global_id(0);
    const uchar4 s = src[i], d = dst[i];
    const uint keep = 255 - s.w;
    uint r = s.x + (d.x * keep + 127) / 255;
    uint g = s.y + (d.y * keep + 127) / 255;
    uint b = s.z + (d.z * keep + 127) / 255;
    uint a = s.w + (d.w * keep + 127) / 255;
    dst[i] = (uchar4)(min(r, 255u), min(g, 255u), min(b, 255u), min(a, 255u));
}
