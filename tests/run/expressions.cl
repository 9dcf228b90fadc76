// Expressions: precedence, short circuits, the comma, conditional expressions, order of evaluation.
//---- precedence
//: global 20
//: arg out=i32[20]
//: expect out = i + 2 * 3 - (i << 1 + 1) % 7 ^ i & 6 | i == 3
kernel void k(global int* out) {
    int i = get_global_id(0);
    out[i] = i + 2 * 3 - (i << 1 + 1) % 7 ^ i & 6 | i == 3;
}
//---- unary_operators
//: global 5
//: arg out=i32[5]
//: expect out = i + ~i - !i + !!i * 10
kernel void k(global int* out) {
    int i = get_global_id(0);
    out[i] = - -i + ~i - !i + !!i * 10 + +0;
}
//---- associativity
//: global 1
//: arg out=i32[4]
//: expect out = {5, 20, 3, 7}
kernel void k(global int* out) {
    int a, b;
    out[0] = 10 - 3 - 2;
    out[1] = 100 / 10 * 2;
    a = b = 3;
    out[2] = a;
    out[3] = 0 ? 1 : 0 ? 5 : 7;
}
//---- and_stops_early
//: global 8
//: arg out=i32[8]
//: arg count=i32[8]
//: expect out = i > 3
//: expect count = i > 3 ? 1 : 0
kernel void k(global int* out, global int* count) {
    int i = get_global_id(0);
    out[i] = i > 3 && ++count[i];
}
//---- or_stops_early
//: global 8
//: arg out=i32[8]
//: arg count=i32[8]
//: expect out = 1
//: expect count = i > 3 ? 0 : 1
kernel void k(global int* out, global int* count) {
    int i = get_global_id(0);
    out[i] = i > 3 || ++count[i];
}
//---- short_circuits_guard_loads
//: global 16
//: arg in=i32[4]:iota
//: arg out=i32[16]
//: expect out = i < 4 ? (i > 1) : 0
kernel void k(global const int* in, global int* out) {
    int i = get_global_id(0);
    out[i] = i < 4 && in[i] > 1;
}
//---- nested_conditions
//: global 512
//: arg out=i32[512]
//: expect out = ((i & 1) && ((i & 2) || (i & 4)) || ((i & 8) || ((i & 16) && (i & 32)))) && ((i & 64) || ((i & 128) && (i & 256)))
kernel void k(global int* out) {
    int i = get_global_id(0);
    bool b0 = i & 1, b1 = i & 2, b2 = i & 4, b3 = i & 8, b4 = i & 16, b5 = i & 32, b6 = i & 64, b7 = i & 128,
         b8 = i & 256;
    out[i] = ((b0 && (b1 || b2)) || (b3 || (b4 && b5))) && (b6 || (b7 && b8));
}
//---- conditions_as_values
//: global 64
//: arg out=i32[64]
//: expect out = (!(i & 3) || (i & 8) && !(i & 16)) * 10 + !(i > 5 && i < 50)
kernel void k(global int* out) {
    int i = get_global_id(0);
    int a = !(i & 3) || (i & 8) && !(i & 16), b = !(i > 5 && i < 50);
    out[i] = a * 10 + b;
}
//---- conditional_evaluates_one_side
//: global 10
//: arg out=i32[10]
//: arg seen=i32[20]
//: expect out = i % 3 == 0 ? i * 2 : i + 100
//: expect seen = i < 10 ? i % 3 == 0 : (i - 10) % 3 != 0
kernel void k(global int* out, global int* seen) {
    int i = get_global_id(0);
    out[i] = i % 3 == 0 ? (seen[i]++, i * 2) : (seen[10 + i]++, i + 100);
}
//---- conditional_chain
//: global 100
//: arg out=i32[100]
//: expect out = i % 15 == 0 ? 15 : i % 5 == 0 ? 5 : i % 3 == 0 ? 3 : i
kernel void k(global int* out) {
    int i = get_global_id(0);
    out[i] = i % 15 == 0 ? 15 : i % 5 == 0 ? 5 : i % 3 == 0 ? 3 : i;
}
//---- comma
//: global 6
//: arg out=i32[6]
//: expect out = i * i + 1
kernel void k(global int* out) {
    int i = get_global_id(0), a, b;
    out[i] = (a = i, b = a * i, b + 1);
}
//---- operands_from_left_to_right
//: global 1
//: arg out=i32[3]
//: not host: C++ leaves the order open
//: not opencl: OpenCL C leaves the order open
//: expect out = {11, 5, 12}
kernel void k(global int* out) {
    int a = 5;
    out[0] = a++ + a;
    a = 5;
    out[1] = a - (a - 5) - a++ + a - 1;
    a = 5;
    out[2] = a++ + ++a;
}
//---- arguments_from_left_to_right
//: global 1
//: arg out=i32[1]
//: not host: C++ leaves the order open
//: not opencl: OpenCL C leaves the order open
//: expect out = {123}
int join(int a, int b, int c) { return a * 100 + b * 10 + c; }
kernel void k(global int* out) {
    int n = 0;
    out[0] = join(++n, ++n, ++n);
}
//---- assignment_is_a_value
//: global 8
//: arg out=i32[8]
//: expect out = i * 3 + 1
kernel void k(global int* out) {
    int i = get_global_id(0), a, b, c;
    a = b = c = i;
    a += b += c += 1;
    out[i] = a;
}
//---- all_compound_assignments
//: global 1
//: arg out=i32[10]
//: expect out = {13, 7, 30, 3, 1, 40, 2, 2, 14, 9}
kernel void k(global int* out) {
    int a;
    a = 10, a += 3, out[0] = a;
    a = 10, a -= 3, out[1] = a;
    a = 10, a *= 3, out[2] = a;
    a = 10, a /= 3, out[3] = a;
    a = 10, a %= 3, out[4] = a;
    a = 10, a <<= 2, out[5] = a;
    a = 10, a >>= 2, out[6] = a;
    a = 10, a &= 3, out[7] = a;
    a = 10, a |= 4, out[8] = a;
    a = 10, a ^= 3, out[9] = a;
}
//---- increments_of_memory
//: global 16
//: arg out=i32[16]:iota
//: expect out = i + 2
kernel void k(global int* out) {
    int i = get_global_id(0);
    out[i]++;
    ++out[i];
    out[i]--;
    out[i]++;
}
//---- index_has_effects
//: global 1
//: arg out=i32[4]
//: expect out = {10, 20, 30, 0}
kernel void k(global int* out) {
    int n = 0;
    out[n++] = 10;
    out[n++] += 20;
    out[n] = 30;
}
//---- large_expression
//: global 64
//: arg out=i32[64]
//: expect out = sum(k, 0, 16, (i + k) * (i - k))
kernel void k(global int* out) {
    int i = get_global_id(0);
    out[i] = (i + 0) * (i - 0) + (i + 1) * (i - 1) + (i + 2) * (i - 2) + (i + 3) * (i - 3) + (i + 4) * (i - 4) +
             (i + 5) * (i - 5) + (i + 6) * (i - 6) + (i + 7) * (i - 7) + (i + 8) * (i - 8) + (i + 9) * (i - 9) +
             (i + 10) * (i - 10) + (i + 11) * (i - 11) + (i + 12) * (i - 12) + (i + 13) * (i - 13) +
             (i + 14) * (i - 14) + (i + 15) * (i - 15);
}
