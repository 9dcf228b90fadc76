export void triad(uniform float a[], uniform const float b[], uniform const float c[], uniform float s, uniform int nx,
                  uniform int ny, uniform int nz) {
    foreach (i = 0 ... nx) a[i] = b[i] + s * c[i];
}
