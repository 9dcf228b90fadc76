#define AT(x, y, z) input[((z) * n + (y)) * n + (x)]
export void jacobi3d(uniform const double input[], uniform double out[], uniform int n, uniform int nx, uniform int ny,
                     uniform int nz) {
    for (uniform int z = 0; z < n; z++)
        for (uniform int y = 0; y < n; y++)
            foreach (x = 0 ... n) {
                const double c = AT(x, y, z);
                double west = c;
                double east = c;
                double south = c;
                double north = c;
                double down = c;
                double up = c;
                if (x > 0) west = AT(x - 1, y, z);
                if (x < n - 1) east = AT(x + 1, y, z);
                if (y > 0) south = AT(x, y - 1, z);
                if (y < n - 1) north = AT(x, y + 1, z);
                if (z > 0) down = AT(x, y, z - 1);
                if (z < n - 1) up = AT(x, y, z + 1);
                out[(z * n + y) * n + x] = (west + east + south + north + down + up + 2.0d * c) * 0.125d;
            }
}
