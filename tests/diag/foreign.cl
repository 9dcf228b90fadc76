//---- image_parameter
kernel void k(read_only image2d_t img, global float4* out) { out[0] = read_imagef(img, (int2)(0, 0)); }
//---- sampler_at_file_scope
constant sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
kernel void k(read_only image2d_t img, global float4* out) { out[0] = read_imagef(img, s, (float2)(0.5f, 0.5f)); }
//---- write_image
kernel void k(write_only image3d_t img) { write_imagef(img, (int4)(0), (float4)(1.0f)); }
//---- pipe
kernel void k(read_only pipe int p, global int* out) { int x; if (read_pipe(p, &x) == 0) out[0] = x; }
//---- device_enqueue
kernel void k(global int* out) {
  queue_t q = get_default_queue();
  ndrange_t n = ndrange_1D(4);
  enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, n, ^{ out[0] = 1; });
}
//---- recursion
int f(int n) { return n < 2 ? 1 : n * f(n - 1); }
kernel void k(global int* out) { out[0] = f(out[1]); }
//---- function_pointer
int f(int n) { return n; }
kernel void k(global int* out) { int (*p)(int) = f; out[0] = p(3); }
//---- vla
kernel void k(global int* out, int n) { int a[n]; for (int i = 0; i < n; ++i) a[i] = i; out[0] = a[n - 1]; }
//---- cxx_reference
void f(int& x) { x++; }
kernel void k(global int* out) { int a = 1; f(a); out[0] = a; }
//---- template
template <typename T> T twice(T x) { return x + x; }
kernel void k(global int* out) { out[0] = twice<int>(3); }
//---- class
class A { public: int x; int get() { return x; } };
kernel void k(global int* out) { A a; a.x = 3; out[0] = a.get(); }
//---- auto
kernel void k(global int* out) { auto x = out[0]; out[1] = x; }
//---- nullptr
kernel void k(global int* out) { global int* p = nullptr; if (p) out[0] = 1; }
//---- namespace
namespace n { int f() { return 1; } }
kernel void k(global int* out) { out[0] = n::f(); }
//---- static_cast
kernel void k(global int* out) { out[0] = static_cast<int>(2.5f); }
//---- unknown_type_in_parameters
kernel void k(global floot* out, global flaot* in) { out[0] = in[0]; out[1] = in[1] + 2; }
//---- unknown_type_of_a_variable
kernel void k(global int* out) { uint32_t x = 1; uint32_t y = x + 2; out[0] = x + y; }
//---- unknown_function
kernel void k(global float* out) { out[0] = sinn(out[1]) + foo(out[2]); }
//---- unknown_builtin_of_cuda
__global__ void k(float* out) { int i = threadIdx.x + blockIdx.x * blockDim.x; out[i] = i; }
//---- syncthreads
kernel void k(global int* out) { __syncthreads(); out[0] = 1; }
//---- unknown_attribute
kernel __attribute__((fancy(3))) void k(global int* out) { out[0] = 1; }
//---- unterminated_string
kernel void k(global int* out) { printf("abc); out[0] = 1; }
//---- unterminated_char
kernel void k(global int* out) { out[0] = 'a; out[1] = 2; }
//---- unterminated_comment
kernel void k(global int* out) { out[0] = 1; } /* never
kernel void j(global int* out) { out[0] = 1; }
//---- missing_brace
kernel void k(global int* out) { if (out[0]) { out[1] = 1; out[0] = 2; }
//---- extra_brace
kernel void k(global int* out) { out[0] = 1; } }
kernel void j(global int* out) { out[0] = 1; }
//---- missing_semicolon
kernel void k(global int* out) { int a = 1
  out[0] = a; }
//---- missing_parenthesis
kernel void k(global int* out) { if (out[0] > 1 { out[1] = 2; } out[2] = 3; }
//---- unknown_directive
#defin X 3
kernel void k(global int* out) { out[0] = X; }
//---- endif_missing
#ifdef A
kernel void k(global int* out) { out[0] = 1; }
//---- else_without_if
#else
kernel void k(global int* out) { out[0] = 1; }
//---- bad_if
#if A +
#endif
kernel void k(global int* out) { out[0] = 1; }
//---- macro_with_too_few_arguments
#define ADD(a, b) ((a) + (b))
kernel void k(global int* out) { out[0] = ADD(1); }
//---- bit_field
struct s { int a : 3; int b : 5; };
kernel void k(global int* out) { struct s x; x.a = 1; x.b = 2; out[0] = x.a + x.b; }
//---- half_arithmetic
kernel void k(global half* p) { half a = p[0]; p[1] = a * a + (half)2; }
//---- half_vector
kernel void k(global half4* p) { half4 a = p[0]; p[1] = a + a; }
//---- global_without_constant
int table[4] = {1, 2, 3, 4};
kernel void k(global int* out) { out[0] = table[out[1]] + table[2]; }
//---- global_variable
global int counter = 0;
kernel void k(global int* out) { atomic_inc(&counter); out[0] = counter; }
//---- static_variable
kernel void k(global int* out) { static int n = 0; n++; out[0] = n; }
//---- extern_variable
extern int n;
kernel void k(global int* out) { out[0] = n; }
//---- address_spaces
kernel void k(global int* out) { int* p = out; p[0] = 1; p[1] = 2; }
//---- pass_global_to_private
void f(int* p) { *p = 1; }
kernel void k(global int* out) { f(out); f(out + 1); }
//---- kernel_returns
kernel int k(global int* out) { out[0] = 1; return 3; }
//---- kernel_with_private_pointer
kernel void k(int* p, float** q) { p[0] = 1; q[0][0] = 1; }
//---- local_with_initialiser
kernel void k(global int* out) { local int a[4] = {1, 2, 3, 4}; out[0] = a[out[1]]; }
//---- variadic_function
int f(int n, ...) { return n; }
kernel void k(global int* out) { out[0] = f(1, 2, 3); }
//---- implicit_int
kernel void k(global int* out) { const x = 3; static y = 4; out[0] = x + y; }
//---- ok_long_long
kernel void k(global long* out) { long long x = 3; unsigned long long y = 4; out[0] = x + y; }
//---- long_double
kernel void k(global double* out) { long double x = 3; out[0] = x; }
//---- asm
kernel void k(global int* out) { asm("nop"); __asm__ volatile ("nop" : : "r"(1)); out[0] = 1; }
//---- malloc_sizeof_memcpy
kernel void k(global int* out) { int* p = malloc(4); memcpy(p, out, 4); free(p); }
//---- printf_with_a_variable_format
kernel void k(global char* f) { printf(f, 1); }
//---- vector_of_wrong_size
kernel void k(global int* out) { int5 v = (int5)(1, 2, 3, 4, 5); out[0] = v.s0 + v.s4; }
//---- component_that_is_not_there
kernel void k(global int* out) { int2 v = (int2)(1, 2); out[0] = v.z + v.s7; v.xx = v; }
//---- too_few_vector_elements
kernel void k(global int4* out) { out[0] = (int4)(1, 2, 3); out[1] = (int4)(1, 2, 3, 4, 5); }
//---- vectors_of_different_types
kernel void k(global float4* out, global int4* in) { out[0] = in[0]; out[1] = out[2] + in[1]; }
//---- bool_parameter
kernel void k(bool b, size_t n, global int* out) { out[0] = b + n; }
//---- event
kernel void k(global int* out, event_t e) { wait_group_events(1, &e); out[0] = 1; }
//---- goto_nowhere_twice_a_label
kernel void k(global int* out) { goto there; here: out[0] = 1; here: out[1] = 2; }
//---- break_outside
kernel void k(global int* out) { break; continue; case 3: out[0] = 1; }
//---- double_case
kernel void k(global int* out) { switch (out[0]) { case 1: case 1: out[1] = 2; default: default: out[2] = 3; } }
//---- lambda
kernel void k(global int* out) { auto f = [](int x) { return x + 1; }; out[0] = f(2); }
//---- range_for
kernel void k(global int* out) { int a[3] = {1, 2, 3}; for (int x : a) out[0] += x; }
//---- default_argument_overload
int f(int a, int b = 3) { return a + b; }
kernel void k(global int* out) { out[0] = f(1); }
//---- operator
struct v { float x; };
struct v operator+(struct v a, struct v b) { a.x += b.x; return a; }
kernel void k(global float* out) { struct v a = {1}, b = {2}; out[0] = (a + b).x; }
//---- new_and_delete
kernel void k(global int* out) { int* p = new int[4]; p[0] = 1; delete[] p; out[0] = p[0]; }
//---- struct_without_keyword
struct point { int x, y; };
kernel void k(global point* p) { point q = p[0]; p[1] = q; }
//---- kernel_calls_undeclared_helper_defined_below
kernel void k(global int* out) { out[0] = later(3); }
int later(int x) { return x; }
//---- ok_table_of_pointers
constant int a[] = {1, 2}, b[] = {3, 4};
constant int* constant table[] = {a, b};
kernel void k(global int* out) { out[0] = table[out[1]][0]; }
//---- names
constant char* names[] = {"one", "two"};
kernel void k(global int* out) { out[0] = names[out[1]][0]; }
//---- generic_address_space
void f(generic int* p) { *p = 1; }
kernel void k(global int* out) { f(out); }
//---- ok_atomics_of_opencl_2
kernel void k(global atomic_int* p) { atomic_fetch_add(p, 1); atomic_store(p, 3); }
//---- work_group_functions
kernel void k(global int* out, global float4* v) {
    v[0] = work_group_reduce_add(v[1]);
    out[0] = work_group_broadcast(1);
    out[1] = work_group_broadcast(1, 2, 3, 4, 5);
    out[2] = work_group_broadcast(1, 2.0f);
    out[3] = work_group_reduce_mul(1);
}
//---- atomic_float
kernel void k(global float* out) { atomic_add(out, 1.0f); }
//---- wrong_number_of_arguments
kernel void k(global float* out) { out[0] = pow(out[1]); out[1] = sqrt(1.0f, 2.0f); get_global_id(); }
//---- convert_of_unknown
kernel void k(global int* out) { out[0] = convert_integer(out[1]); out[1] = convert_int_saturate(1.0f); as_flaot(1); }
//---- assignment_to_const
kernel void k(constant int* in, const int n) { in[0] = 1; n = 2; }
//---- array_assigned
kernel void k(global int* out) { int a[2] = {1, 2}, b[2]; b = a; out[0] = b[0]; }
//---- number_too_large
kernel void k(global long* out) { out[0] = 99999999999999999999; out[1] = 0x; out[2] = 08; out[3] = 1.2.3; }
//---- stray_character
kernel void k(global int* out) { out[0] = 1 @ 2; out[1] = 3 $ 4; out[2] = `5`; }
//---- macro_of_the_host
kernel void k(global int* out) { local int tile[TILE_SIZE]; tile[0] = 1; out[0] = tile[0]; }
//---- order_of_arguments
kernel void k(global float4* a, global float* b) { int i = get_global_id(0); vstore4(i, a[i], b); a[i] = vload4(b, i); }
//---- half_literal
kernel void k(global float* a) { a[0] = 2.0h; }
//---- functions_on_bytes
kernel void k(global int* a) { int own[4]; memcpy(own, a, 16); __builtin_memset(&own, 0, 4, 5); __builtin_memcpy(a, 3, 4); }
//---- bytes_of_constants
constant int table[4] = {1, 2, 3, 4};
kernel void k(global int* a, global const int* b) { __builtin_memcpy(table, a, 4); __builtin_memset(b, 0, 4); }
//---- program_scope_variables
global int counter = 3;
static global float hidden[4];
kernel void k(global int* a) { a[0] = atomic_inc(&counter); hidden[0] = 1; }
//---- bad_ranges
constant int a[4] = {[2 ... 1] = 1};
constant int b[4] = {[0 ... 4] = 1};
constant int c[4][2] = {[0 ... 1][1] = 1};
kernel void k(global int* o, int n) { int d[4] = {[0 ... n] = 1}; o[0] = a[0] + b[0] + c[0][0] + d[0]; }
//---- bad_dot_products
kernel void k(global int* o, uchar4 u, short4 s, float4 f) { o[0] = dot(u, s); o[1] = dot_acc_sat(u, u); o[2] = dot_acc_sat(f, f, 1); o[3] = dot(u, u) + dot_4x8packed_uu_uint(u, u); }
