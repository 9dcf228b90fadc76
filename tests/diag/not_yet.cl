// Parts of OpenCL C that this version does not have are named as such.
struct pair { int a, b; };
union both { int i; float f; };
enum color { RED, GREEN };
constant int table[2] = {1, 2};
kernel void vectors(global float4* v) { }
kernel void images(read_only image2d_t image, sampler_t s) { }
kernel void locals(local int* shared) { }
kernel void more(global int* out) {
    local int tile[16];
    int a[3];
    float3 v;
    half h;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(out, 1);
    printf("hello");
    out[0] = sin(1.0f);
    int* p = &out[0];
    int x;
    &x;
}
