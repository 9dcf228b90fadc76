// Three bytes become four letters.
__constant uchar alphabet[65] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

__kernel void base64(__global const uchar* in, __global uchar* out) {
    const uint i = get_global_id(0);
    const uint v = ((uint)in[3 * i] << 16) | ((uint)in[3 * i + 1] << 8) | in[3 * i + 2];
    out[4 * i] = alphabet[(v >> 18) & 63];
    out[4 * i + 1] = alphabet[(v >> 12) & 63];
    out[4 * i + 2] = alphabet[(v >> 6) & 63];
    out[4 * i + 3] = alphabet[v & 63];
}
