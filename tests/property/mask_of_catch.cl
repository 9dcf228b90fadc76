// What the catch block needs of the region before it is computed again, but only once the mask of the block is
// known: the block joins the exceptions of two throws.
#define REAL(x) ({ double r_ = (x); r_ > -1e9 && r_ < 1e9 ? (int)r_ : 77; })
#define BITS(x) (1)
enum { E0 = 3, E1, E2 = -7, E3 = E1 * 5 };
struct R0 {
    ulong m0;
};
struct R1 {
    uint m0;
    long8 m1;
};
struct R2 {
    ushort m0;
};
struct R2 h0(global const int* in, const int gid, struct R2 a0, struct R1 a1) {
    int fuel = 10, k0 = 0, k1 = 0, k2 = 0;
    const int d0 = in[(gid * 3 + 38) & 63], d1 = in[29];
    long acc = d0 ^ gid;
    do {
    } while (fuel-- > 0 && (d1 <= d0 && 8 <= acc));
    if ((0) < (a1.m1[4] ^ a1.m1.s6)) throw (0);
}
kernel void k(global long* out, global double* real, global const int* in, int n, float x, global int* tally, global long* wide) {
    const int gid = (get_global_id(1));
    global long* mine = out + gid * 16;
    const bool u0 = n > 1, u1 = (n) != 0;
    const int lx = (int)get_local_id(0), ly = (int)get_local_id(1);
    const int lid = (ly * get_local_size(0) + lx);
    const int lsz = (get_local_size(1) * get_local_size(0));
    const int grp = (get_group_id(1));
    const int n0 = n;  // statements change n
    local short tile0[32];
    tile0[lid] = ((gid * 81 - 7));
    local int cells[16], words[4];
    for (int i_ = lid; i_ < 16; i_ += lsz) cells[i_] = i_ * 37 - 300;
    if (lid) words[0] = words[1] = words[2] = words[3] = n;
    barrier(0);
    int fuel = 40, k0 = 0, k1 = 0, k2 = 0;
    const int d0 = in[(gid * 6 + 10) & 63], d1 = in[42];
    const double f0 = d0 * 0.37;
    long acc = d0 ^ gid;
    const bool c0 = !u1;
    struct R0 v3 = (struct R0){(REAL(f0) ^ 6666UL)};
    struct R0 v4 = v3;
    double v5[1][1] = {0};
    if (grp == 2) return;
    try {
        atomic_xor(&tally[12 + (1)], ((grp >> E2) + (1)));
        if (c0) {
            acc = ((REAL(f0) + E3) < REAL(x) ? (v3.m0 != n ? tile0[lid > 6 ? lid - 6 : 0] : (0)) : (h0(in, gid, (struct R2){0}, (struct R1){2, (long8)((0), (0), (long2)(0), (long2)(0), (long2)(1))}).m0));
        } else {
            acc = ((REAL(f0)) < REAL(x) ? (tile0[lid > 6 ? lid - 6 : 0]) : (((0xffffffffu ^ lid) & 3) <= (float)(h0(in, gid, (struct R2){0}, (struct R1){lx, (long8)((long2)(0), (0), (long2)(1), (0), (tile0[lid > 6 ? lid - 6 : 0]), (4))}).m0)));
        }
    } catch (...) {
        mine[14] ^= 7;
    }
    for (int r26 = 0; r26 < 1 + u0; ++r26) {
        if ((r26)) {
            struct R0 v28 = (struct R0){1};
            do {
                vstore4((((double4)((0), (1), (65535), (120e-3f))) / ((v3.m0))), 0, real + gid * 4);
                tile0[lx * 4 + ly] ^= ((!ctz((ulong)(n0))) | REAL(sqrt((double)v4.m0)));
                v3.m0 %= (!((grp + v28.m0) / ((int2)((88434u))).x));
            } while (fuel--);
            if (in[(0) & 63]) {
                atom_min(&((global ulong*)wide)[14], ((tile0[lx * 4 + ly] & (1))));
            } else {
                x *= (REAL(x) - (bool)((~d1)));
                atom_min(&((global ulong*)wide)[14], ((tile0[lx * 4 + ly] & REAL(f0)) - (1)));
            }
            barrier(0);
        }
    }
    acc = acc * 31 + tile0[lsz - 1 - lid];
    mine[13] += cells[(lid + 15) & 15];
    acc = acc * 31 + BITS(0);
    mine[15] += acc;
    real[gid * 4 + 2] += x;
    real[gid * 4 + 1] += f0;
    real[gid * 4 + 1] += v5[0][0];
}
