// A relaxation with coefficients of its own at each point, by groups of 1 x 1 x 64: neighbours in memory are
// neighbours along the third dimension.
#define AT(field, dx, dy, dz) field[at + ((dx) * ny + (dy)) * nz + (dz)]
kernel void himeno(global const float* a, global const float* b, global const float* c, global const float* p,
                   global float* next, float omega) {
    const int nx = get_global_size(0), ny = get_global_size(1), nz = get_global_size(2);
    const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (x < 1 || x >= nx - 1 || y < 1 || y >= ny - 1 || z < 1 || z >= nz - 1) return;
    const int at = (x * ny + y) * nz + z, points = nx * ny * nz;
    float sum = a[at] * AT(p, 1, 0, 0) + a[at + points] * AT(p, 0, 1, 0) + a[at + 2 * points] * AT(p, 0, 0, 1);
    sum += b[at] * (AT(p, 1, 1, 0) - AT(p, 1, -1, 0) - AT(p, -1, 1, 0) + AT(p, -1, -1, 0));
    sum += b[at + points] * (AT(p, 0, 1, 1) - AT(p, 0, -1, 1) - AT(p, 0, 1, -1) + AT(p, 0, -1, -1));
    sum += b[at + 2 * points] * (AT(p, 1, 0, 1) - AT(p, -1, 0, 1) - AT(p, 1, 0, -1) + AT(p, -1, 0, -1));
    sum += c[at] * AT(p, -1, 0, 0) + c[at + points] * AT(p, 0, -1, 0) + c[at + 2 * points] * AT(p, 0, 0, -1);
    next[at] = p[at] + omega * (sum - p[at]);
}
