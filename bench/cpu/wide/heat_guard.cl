// Explicit step of the heat equation; the border keeps its temperature.
#define IDX(i, j) ((i) + (j) * nx)

__kernel void heat_guard(__global const float* u, __global float* v, const int nx, const int ny, const float c) {
    const int i = get_global_id(0);
    const int j = get_global_id(1);
    if (i < nx && j < ny) {
        if (i > 0 && i < nx - 1 && j > 0 && j < ny - 1)
            v[IDX(i, j)] = u[IDX(i, j)] + c * (u[IDX(i - 1, j)] - 2.0f * u[IDX(i, j)] + u[IDX(i + 1, j)]) +
                           c * (u[IDX(i, j - 1)] - 2.0f * u[IDX(i, j)] + u[IDX(i, j + 1)]);
        else
            v[IDX(i, j)] = u[IDX(i, j)];
    }
}
