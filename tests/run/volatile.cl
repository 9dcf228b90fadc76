// Volatile: every access is one of its own, and means what it would mean without the word.
//---- numbers_of_every_size
//: global 40
//: arg b=i8[40]:iota
//: arg s=i16[40]:iota
//: arg n=i32[40]:iota
//: arg l=i64[40]:iota
//: arg f=f32[40]:iota
//: arg d=f64[40]:iota
//: expect b = 2 * i
//: expect s = i + 1
//: expect n = i * i + 7
//: expect l = 3 * i
//: expect f = i / 2.0
//: expect d = i + 0.5
kernel void k(global volatile char* b, global volatile short* s, volatile global int* n, global volatile long* l,
              global volatile float* f, global volatile double* d) {
    int i = get_global_id(0);
    b[i] = b[i] + b[i];
    s[i]++;
    n[i] *= n[i];
    n[i] += 7;
    l[i];
    l[i] = l[i] + 2 * l[i];
    f[i] = f[i] * 0.5f;
    d[i] = d[i] + 0.5;
}
//---- variables_and_members
//: not host: vectors
//: global 16
//: arg in=i32[64]:iota
//: arg out=i32[64]
//: expect out = in[i] + 100 * (i % 4)
struct four {
    int2 b;
    int a;
    volatile int c;
};
kernel void k(global volatile const struct four* in, global volatile struct four* out) {
    volatile int i = get_global_id(0);
    volatile struct four x = in[i];
    struct four y;
    y = x;
    y.b.y += 100;
    y.a += 200;
    y.c += 300;
    out[i] = y;
}
//---- vectors
//: not host: vectors
//: global 20
//: arg in=f32[80]:iota
//: arg out=f32[80]
//: expect out = in[i] * 2 + i % 4
kernel void k(volatile global float4* in, volatile global float4* out) {
    int i = get_global_id(0);
    float4 v = in[i] + in[i];
    out[i].xz = v.xz + (float2)(0, 2);
    out[i].y = v.y + 1;
    out[i].w = v.w + 3;
}
//---- packed
//: not host: attributes
//: global 12
//: arg in=u8[60]:iota
//: arg out=i32[12]
//: expect out = i * 5 + (i * 5 + 1) + 256 * (i * 5 + 2) + 65536 * (i * 5 + 3) + 16777216 * (i * 5 + 4)
struct __attribute__((packed)) odd {
    uchar c;
    int n;
};
kernel void k(global volatile struct odd* in, global volatile int* out) {
    int i = get_global_id(0);
    out[i] = in[i].n + in[i].c;
}
//---- waits_for_a_neighbour
//: global 64
//: local 8
//: arg flag=i32[8]
//: arg out=i32[64]
//: expect flag = i + 1
//: expect out = i / 8 + 1
kernel void k(global volatile int* flag, global int* out) {
    int g = get_group_id(0);
    if (get_local_id(0) == 0) flag[g] = g + 1;
    int seen = 0;
    for (int tries = 0; seen == 0 && tries < 1000000; tries++) seen = flag[g];
    out[get_global_id(0)] = seen;
}
//---- local_memory
//: not host: barriers
//: global 32
//: local 8
//: arg in=i32[32]:iota
//: arg out=i32[32]
//: expect out = in[i / 8 * 8 + 7 - i % 8] + i
kernel void k(global const int* in, global int* out) {
    local volatile int here[8];
    int l = get_local_id(0), i = get_global_id(0);
    here[l] = in[i];
    here[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = here[7 - l] + i;
}
//---- pointers_that_are_volatile
//: global 16
//: arg in=i32[17]:iota
//: arg out=i32[16]
//: expect out = 2 * in[i] + 1
kernel void k(global int* volatile in, global int* out) {
    int i = get_global_id(0);
    global int* volatile p = in + i;
    int a = *p++;
    out[i] = a + *p;
}
