static const uniform uint8 table[65] = {
    0, 39, 53, 64, 73, 81, 88, 94, 100, 105, 110, 115, 120, 124, 129, 133,
    137, 141, 144, 148, 151, 155, 158, 161, 164, 168, 171, 173, 176, 179, 182, 185,
    187, 190, 193, 195, 198, 200, 203, 205, 207, 210, 212, 214, 217, 219, 221, 223,
    225, 227, 230, 232, 234, 236, 238, 240, 242, 244, 246, 248, 249, 251, 253, 255,
    255};

export void gamma_lut(uniform const uint8 input[], uniform uint8 out[], uniform int nx, uniform int ny, uniform int nz) {
    foreach (i = 0 ... nx) {
        const int v = input[i];
        const int k = v >> 2;
        const int part = v & 3;
        out[i] = (uint8)((table[k] * (4 - part) + table[k + 1] * part + 2) >> 2);
    }
}
