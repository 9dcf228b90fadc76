#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define AT(x, y, z) in[((size_t)(z) * n + (y)) * n + (x)]

kernel void jacobi3d(global const double* in, global double* out, int n) {
    const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    const double c = AT(x, y, z);
    const double west = x > 0 ? AT(x - 1, y, z) : c, east = x < n - 1 ? AT(x + 1, y, z) : c;
    const double south = y > 0 ? AT(x, y - 1, z) : c, north = y < n - 1 ? AT(x, y + 1, z) : c;
    const double down = z > 0 ? AT(x, y, z - 1) : c, up = z < n - 1 ? AT(x, y, z + 1) : c;
    out[((size_t)z * n + y) * n + x] = (west + east + south + north + down + up + 2.0 * c) * 0.125;
}
