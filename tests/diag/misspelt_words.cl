//---- keyword_of_a_kernel
kernal void k(global int* out) { out[0] = 1; }
//---- address_space
kernel void k(__globl int* out) { out[0] = 1; }
//---- loop
kernel void k(global int* out) {
    int i = 3;
    whlie (i > 0) { out[i--] = 1; }
    out[0] = 2;
}
//---- choice
kernel void k(global int* out) {
    swich (out[0]) { case 1: out[1] = 2; }
}
//---- end_of_a_function
kernel void k(global int* out) {
    retrun;
}
//---- functions_of_families
kernel void k(global int* out) {
    out[0] = convert_uint_satt(1.0f) + as_flaot(1) + atomic_ad(out, 1);
}
//---- flag_of_a_barrier
kernel void k(global int* out) {
    out[0] = 1;
    barrier(CLK_LOCAL_MEM_FENSE);
}
//---- constructor_of_a_vector
kernel void k(global float4* out) {
    out[0] = float4(1, 2, 3, 4);
}
//---- conversion_of_a_number
kernel void k(global float* out) { out[0] = float(2); }
//---- too_many_names_fit
__attribute__((overloadable)) int f(int a, float b) { return 1; }
__attribute__((overloadable)) int f(float a, int b) { return 2; }
kernel void k(global int* out) { out[0] = f(1, 2); }
//---- type_that_is_none
typedef float float;
kernel void k(global int* out) { out[0] = 1; }
//---- failed_assertions
_Static_assert(sizeof(int) == 8, "int has 64 bits");
kernel void k(global int* out) {
    _Static_assert(0);
    _Static_assert(out[0], "not constant");
    out[0] = 1;
}
//---- local_memory_in_a_block -Wpedantic
kernel void k(global int* out) {
    local int a;
    for (int i = 0; i < 2; i++) {
        local int b;
        b = i;
        a = b;
    }
    out[0] = a;
}
//---- vectors_by_attribute -Wpedantic
typedef float five __attribute__((ext_vector_type(5)));
typedef float bytes __attribute__((vector_size(16)));
kernel void k(global bytes* out) { out[0] = pow(out[0], 2); }
//---- words_that_others_refuse -Wpedantic
kernel void k(global float* out, size_t n, uintptr_t m, ulong u) {
    global void* p = out;
    p = p + 4;
    out[0] = out[1] ? 1.0f : 2.0f;
    out[1] = L'a' + n + m + u;
    out[2] = n ?: 3;
}
