// Types: widths, signs, and what a value becomes when it is stored in a narrower place.
//---- char_wraps
//: global 256
//: arg out=i32[256]
//: expect out = i8(i)
kernel void k(global int* out) {
    int i = get_global_id(0);
    char c = i;
    out[i] = c;
}
//---- char_is_signed
//: global 1
//: arg out=i32[2]
//: expect out = {-1, 1}
kernel void k(global int* out) {
    char c = (char)255;
    out[0] = c;
    out[1] = c < 0;
}
//---- uchar_wraps
//: global 300
//: arg out=u32[300]
//: expect out = u8(i * 3)
kernel void k(global uint* out) {
    uint i = get_global_id(0);
    uchar c = i * 3;
    out[i] = c;
}
//---- short_and_ushort
//: global 64
//: arg a=i16[64]
//: arg b=u16[64]
//: expect a = i16(i * 1024 - 7)
//: expect b = u16(i * 1024 - 7)
kernel void k(global short* a, global ushort* b) {
    int i = get_global_id(0);
    a[i] = i * 1024 - 7;
    b[i] = i * 1024 - 7;
}
//---- byte_buffers
//: global 100
//: arg in=u8[100]:iota
//: arg out=i8[100]
//: expect out = i8(in[i] * 5)
kernel void k(global const uchar* in, global char* out) {
    int i = get_global_id(0);
    out[i] = in[i] * 5;
}
//---- long_arithmetic
//: global 64
//: arg out=i64[64]
//: expect out = i * 4294967297 - 5
kernel void k(global long* out) {
    long i = get_global_id(0);
    out[i] = i * 4294967297L - 5;
}
//---- ulong_high_bit
//: global 4
//: arg out=u64[4]
//: expect out = {9223372036854775808, 9223372036854775809, 9223372036854775810, 9223372036854775811}
kernel void k(global ulong* out) {
    size_t i = get_global_id(0);
    out[i] = (1UL << 63) + i;
}
//---- size_of_scalars
//: global 1
//: arg out=u64[12]
//: expect out = {1, 1, 2, 2, 4, 4, 8, 8, 4, 8, 8, 8}
kernel void k(global ulong* out) {
    out[0] = sizeof(char);
    out[1] = sizeof(uchar);
    out[2] = sizeof(short);
    out[3] = sizeof(ushort);
    out[4] = sizeof(int);
    out[5] = sizeof(uint);
    out[6] = sizeof(long);
    out[7] = sizeof(ulong);
    out[8] = sizeof(float);
    out[9] = sizeof(double);
    out[10] = sizeof(size_t);
    out[11] = sizeof(out);
}
//---- size_of_expressions_is_not_evaluated
//: global 1
//: arg out=i32[4]
//: expect out = {4, 8, 4, 7}
kernel void k(global int* out) {
    int x = 7;
    char c = 1;
    out[0] = sizeof(c + c);
    out[1] = sizeof(x + 1L);
    out[2] = sizeof(x++);
    out[3] = x;
}
//---- c_spellings
//: global 1
//: arg out=i64[6]
//: expect out = {-1, 65535, 4294967295, -1, 255, 12}
kernel void k(global long* out) {
    signed char a = -1;
    unsigned short int b = -1;
    unsigned c = -1;
    long int d = -1;
    unsigned char e = -1;
    signed f = 12;
    out[0] = a;
    out[1] = b;
    out[2] = c;
    out[3] = d;
    out[4] = e;
    out[5] = f;
}
//---- bool_is_zero_or_one
//: global 6
//: arg out=i32[6]
//: expect out = i != 0 ? 1 : 0
kernel void k(global int* out) {
    int i = get_global_id(0);
    bool b = i * 256;
    out[i] = b;
}
//---- bool_from_float
//: global 1
//: arg out=i32[4]
//: expect out = {1, 0, 1, 1}
kernel void k(global int* out) {
    bool a = 0.25f, b = -0.0f, c = 1e-40f, d = -3.0;
    out[0] = a;
    out[1] = b;
    out[2] = c;
    out[3] = d;
}
//---- typedef_at_file_and_in_block
//: global 8
//: arg out=i32[8]
//: expect out = u8(i * 100) + i16(i * 20000)
typedef uchar byte;
kernel void k(global int* out) {
    typedef short word;
    int i = get_global_id(0);
    byte b = i * 100;
    word w = i * 20000;
    out[i] = b + w;
}
//---- typedef_is_shadowed_by_variable
//: global 1
//: arg out=i32[2]
//: expect out = {3, -1}
typedef int number;
kernel void k(global int* out) {
    number a = 3;
    {
        int number = -1;
        out[1] = number;
    }
    number b = a;
    out[0] = b;
}
//---- qualifiers_change_nothing
//: global 4
//: arg out=i32[4]
//: expect out = i + 10
kernel void k(global int* restrict out) {
    const int ten = 10;
    volatile int i = get_global_id(0);
    out[i] = (const int)i + ten;
}
//---- float_is_stored_as_binary32
//: global 4
//: arg out=f32[4]
//: expect out = {0.1f, 16777216, 3.4028234e38f, 1e-45f}
kernel void k(global float* out) {
    out[0] = 0.1;
    out[1] = 16777217;
    out[2] = 3.4028234e38f;
    out[3] = 1e-45f;
}
//---- double_keeps_53_bits
//: global 8
//: arg out=f64[8]
//: expect out = 9007199254740985.0 + f64(i)
kernel void k(global double* out) {
    long i = get_global_id(0);
    out[i] = 9007199254740985L + i;
}
//---- literals_by_suffix
//: global 1
//: arg out=u64[7]
//: expect out = {4, 4, 8, 8, 8, 4, 8}
kernel void k(global ulong* out) {
    out[0] = sizeof(1);
    out[1] = sizeof(1u);
    out[2] = sizeof(1L);
    out[3] = sizeof(1UL);
    out[4] = sizeof(1.0);
    out[5] = sizeof(1.0f);
    out[6] = sizeof(4294967296);
}
//---- literals_by_base
//: global 1
//: arg out=i64[6]
//: expect out = {255, 8, 10, 4294967295, 97, 10}
kernel void k(global long* out) {
    out[0] = 0xff;
    out[1] = 010;
    out[2] = 10;
    out[3] = 0xffffffff;
    out[4] = 'a';
    out[5] = '\n';
}
//---- hexadecimal_floats
//: global 1
//: arg out=f64[3]
//: expect out = {0.375, 1024.0, 0.00390625}
kernel void k(global double* out) {
    out[0] = 0x1.8p-2;
    out[1] = 0x1p10f;
    out[2] = 0x.01p0;
}
