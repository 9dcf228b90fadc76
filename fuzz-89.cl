// kernelc fuzz --seed 89: avx512: 0x99f: vmovdqu8 zmm4, zmmword ptr [rax + rdx + 0x40]: load of 1 bytes at 0x562974f42000 lies outside all ranges
//   kernelc check fuzz-89.cl --global 1 --local 1 --arg "out=i64[16]" --arg "real=f64[4]" --arg "in=i32[64]:rand(89)" --arg n=18 --arg x=1.75 --arg "tally=i32[16]:rand(90)" --arg "wide=i64[16]:rand(91)" -O2 -w --routes avx512
#define M0(a, b) (-)
#define M1(a) ((a) > 9 ? (a) : 9 - (a))
#define JOIN(a, b) a##b
#define FIRST(a, ...) (a)
#define REAL(x) ({ double r_ = (x); r_ > -1e9 && r_ < 1e9 ? (int)r_ : 77; })
#define BITS(x) ({ double r_ = (x); r_ == r_ ? as_long(r_) : 77L; })
enum { E0 = 3, E1, E2 = -7, E3 = E1 * 5 };
constant short table[8] = {95, -2, 300, 4, -5, 32767, -32768, 8};
struct R0 {
    ushort m0;
    int8 m1;
    char m2[3][2];
    ulong m3;
};
struct R1 {
    long m0;
    double m1;
    uchar m2[1][4];
};
struct R2 {
    ushort m0;
    uchar m1;
};
uchar h0(global const int* in, const int gid, struct R1 a0, uint a1, struct R2 a2) {
    int fuel = 10, k0 = 0, k1 = 0, k2 = 0;
    const int d0 = in[(gid * 2 + 56) & 63], d1 = in[44];
    const double f0 = d0 * 0.37;
    long acc = d0 ^ gid;
    const bool c1 = (float)(0) != (float)(a1 & 3);
    uint3 v0 = sub_sat((uint3)((uint)(1180UL), (uint)(7), (uint)(a1)), (uint3)((uint2)((uint)(REAL(a0.m1))), (uint)(1573327L)));
    uchar8 v1 = ((uchar8)((uchar2)((uchar)(69150236871523L), (uchar)(E1)), (uchar)(0xffffffffu), (uchar2)( (uchar)(a0.m0)), (uchar2)(1), (uchar)(2940UL)) >> (uchar8)((uchar2)((uchar)(3u), (uchar)(v0.s1)), (uchar)(a1), (uchar2)((uchar)(v0.y), (uchar)(104965L)), (uchar)(0x7fffffffffffffffL), (uchar)(a2.m0), (uchar)(382710209468152L)));
    a2.m1 /= (((0x7fffffffffffffffL / REAL(a0.m1)) + (a0.m2[0][3] | a2.m0)) % REAL(f0));
    v0 >>= vload3(19, (global const uint*)in);
    return acc + (-(12 ^ k2));
}
struct R1 h1(global const int* in, const int gid, struct R1 a0, struct R0 a1) {
    int fuel = 10, k0 = 0, k1 = 0, k2 = 0;
    const int d0 = in[(2) & 63], d1 = in[49];
    const double f0 = d0 * 0.37;
    long acc = d0 ^ gid;
    const bool c0 = gid >= k1;
    const bool c1 = ((gid + 3) % 5 == 0);
    struct R1 v2 = a0;
    do {
        for (k0 = 0; k0 < ((3) & 3) + 1 && fuel-- > 0; ++k0) {
            struct R1 v3 = (struct R1){(714209281137267UL + d0), (!c0), {{v2.m0, (1427705917983L - 0xffffffffu), table[(acc) & 7], FIRST(3546849u, d1)}}};
            char2 v4[4][3] = {{(~(char2)((char)(E1)))}, {[0] = ((char2)((char)((v3.m1)), (char)((-128))) ? (char2)((char)(d1)) : (char2)((char)(E2), (char)(a1.m0))), (char2)((char)(0x7fffffffffffffffL), (char)(538411412166759256UL)), ((!c1) ? (char2)((char)(65535), (char)(v2.m0)) : (char2)((char)(255u), (char)(0xffffffffu)))}, {(char2)((a1.m3), (char)(1)), ((char2)((char)(a0.m0)) >> (char)(1448663525UL)), [2] = (char2)((char)(12), (char)(15))}, {1}};
            l5:;
            if (fuel-- > 0 && ((REAL(v2.m1) & 1) && (k1))) goto l6;
            a0.m1 /= v2.m2[0][3];
        }
        a1.m1--;
    } while (fuel-- > 0 && (REAL(a0.m1) << k0) <= ((18 & 1) ? d0 : REAL(f0)));
    l6:;
    do {
        {
            int m7at = ((a0.m0 / d1)) & 63, m7left = ((gid * 4 + 0) & 15) + 2, m7seen = 0, m7last = 0;
            while (m7left-- > 0) {
                switch (m7seen) {
                    case 0:
                    m7last = in[m7at++ & 63];
                    if ((c0 && ((gid + 2) % 4 == 0))) continue;
                    if ((m7last) == 0) { m7seen = 1; break; }
                    m7seen = 0;
                    case 1:
                    m7last = in[m7at++ & 63];
                    if ((m7last & 1) == 4) { m7seen = 0; break; }
                    m7seen = 0;
                }
            }
            m7end:;
        }
    } while (fuel-- > 0 && (d1 & k2) > (uchar)(a1.m2[2][1]));
    return a0;
}
kernel void k(global long* out, global double* real, global const int* in, int n, float x, global int* tally, global long* wide) {
    const int gid = (int)(get_global_id(1) * get_global_size(0) + get_global_id(0));
    global long* mine = out + gid * 16;
    const bool u0 = n > 19, u1 = (n & 4) != 0;
    const int lid = (int)(get_local_id(1) * get_local_size(0) + get_local_id(0));
    const int lsz = (int)(get_local_size(1) * get_local_size(0));
    local int tile[64];
    tile[lid] = (int)(gid * 82 - 7);
    local int cells[16];
    for (int i_ = lid; i_ < 16; i_ += lsz) cells[i_] = i_ * 37 - 300;
    barrier(CLK_LOCAL_MEM_FENCE);
    int fuel = 40, k0 = 0, k1 = 0, k2 = 0;
    const int d0 = in[(gid * 1 + 10) & 63], d1 = in[9];
    const double f0 = d0 * 0.37;
    long acc = d0 ^ gid;
    char4 v8[4] = {((char4)((char)(E0)) + (char4)((char)(E3))), ((char4)((char)(d0)) ? (char4)((char)(14), (char)((-2147483647 - 1)), (char)(acc), (char)(REAL(f0))) : (char4)((char)(REAL(f0)), (char)(2663697443738221L), (char2)((0x8000000000000000UL), (char)(4)))), (1), bitselect((char4)((char)(k1)), (char4)((char)(gid), (char)(REAL(f0)), (char)(14426u), (char)(3)), (char4)((char)(255u)))};
    ulong16 v9 = (((acc)) ? (ulong16)((ulong8)((ulong2)((ulong)(d1), (ulong)(d1)), (ulong)((-2147483647 - 1)), (ulong2)((ulong)(0x7fffffffffffffffL)), (ulong)(REAL(x)), (ulong)(0), (ulong)((f0))), (ulong2)((ulong)(n)), (ulong)(gid), (ulong2)((ulong)(k2), (ulong)(d1)), (ulong2)((ulong)(12), (ulong)(d0)), (ulong)(4u)) : (ulong16)((ulong)(gid)));
    struct R0 v10[2][1] = {[0] = {[0] = {(double)v9.s2, (int8)((int)(78962176UL)), {{[0] = 5, E3}, {v8[1].s0, d0}, {18, [1] = d1}}, 0x7fffffffffffffffL}}, [1] = {{v9.s1, (int8)((int2)((int)(0u), (int)(1413227221586UL)), (int2)((int)(6)), (int2)((int)(506905335416490L)), (int2)((int)(REAL(x)))), {{13}}, d1}}};
    double v11[5][3] = {{(-(float)v10[0][0].m2[1][0]), ((1) ? 188.25 : f0), (double)gid}, {((uchar3)((uchar)(REAL(f0)), (uchar)(3), (uchar)(v9.sf))).x, cos((float)(116e5))}, [2] = {(-153.0f), [1] = ((double)v10[0][0].m0)}, [3] = {sqrt((double)k2), fmax((float)((double)acc), (float)((double)n))}, {(double)n, ((d1 & 1) ? (double)v10[0][0].m0 : (float)v8[3].y), 79.0f}};
    try {
        try {
            atomic_xor(&cells[12 + (0)], (--n));
            l12:;
            {
                struct R1 v13 = (struct R1){(v8[1].w | v10[0][0].m1.s2), trunc((double)d1), {[0] = {(gid - REAL(v11[2][0])), (tile[lid] << tile[lid]), (int)(d1), (acc % d0)}}};
                bool v14 = 14;
                atomic_or(&tally[8 + (0)], ((f0 != (double)v14 && (float)(v8[1].s3 & 3) > (float)(REAL(v11[4][1]) & 3))));
            }
        } catch (...) {
        }
        barrier(1);
        try {
            if (0) goto l17;
            {
                struct R1 v18 = h1(in, gid, (struct R1){(uint)(n), (78.0f + 30.5f), {{(d0 | 5), (0xffffffffu & d1), (k2 - d0), (u0)}}}, ((0) ? v10[1][0] : v10[1][0]));
            }
            l17:;
        } catch (...) {
            mine[14] ^= 7;
        }
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        mine[13] += cells[(lid + 10) & 15];
    } catch (...) {
        mine[14] ^= 5;
    }
    acc = acc * 31 + tile[lid];
    acc = acc * 31 + gid;
    acc = acc * 31 + n;
    acc = acc * 31 + BITS(x);
    acc = acc * 31 + k0;
    acc = acc * 31 + k1;
    acc = acc * 31 + k2;
    acc = acc * 31 + d0;
    acc = acc * 31 + d1;
    acc = acc * 31 + BITS(f0);
    acc = acc * 31 + acc;
    acc = acc * 31 + v8[2][2];
    acc = acc * 31 + v8[2].s0;
    acc = acc * 31 + v8[2][1];
    acc = acc * 31 + v9.sc;
    acc = acc * 31 + v9.se;
    acc = acc * 31 + v9.s3;
    acc = acc * 31 + v10[0][0].m2[1][0];
    acc = acc * 31 + v10[1][0].m0;
    acc = acc * 31 + v10[1][0].m2[2][1];
    acc = acc * 31 + BITS(v11[2][0]);
    acc = acc * 31 + BITS(v11[4][2]);
    acc = acc * 31 + BITS(v11[3][0]);
    mine[15] += acc;
    real[gid * 4 + 1] += x;
    real[gid * 4 + 3] += f0;
    real[gid * 4 + 2] += v11[4][2];
}
