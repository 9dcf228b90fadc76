// printf: each work-item's text is in its own order, work-items in that of their ids, on every engine.
//---- integers
//: global 1
//: arg big=-5000000000
//: not host: its text goes to the output of the test
//: prints [42] [-42] [+42] [  42] [42  ] [0042] [ 42] [042]
//: prints 4294967254 52 2a 2A 0x2a 052
//: prints -128 255 -1 65535
//: prints -5000000000 18446744068709551616 fffffffed5fa0e00
//: prints A|  B|C  |%|
kernel void k(long big) {
    int x = 42;
    printf("[%d] [%i] [%+d] [%4d] [%-4d] [%04d] [% d] [%.3d]\n", x, -x, x, x, x, x, x, x);
    printf("%u %o %x %X %#x %#o\n", -x, x, x, x, x, x);
    printf("%hhd %hhu %hd %hu\n", 128, 255, 65535, 65535);
    printf("%ld %lu %lx\n", big, big, big);
    printf("%c|%3c|%-3c|%%|\n", 'A', 'B', 'C');
}
//---- floats
//: global 1
//: arg x=0.1f
//: arg y=-2.5
//: arg zero=0.0f
//: not host: its text goes to the output of the test
//: prints 0.100000 1.000000e-01 0.1 0.10000000149 [     0.100]
//: prints -2.500000 -2.50 -2 -2.5E+00 -2.5 [-2.500    ] -0x1.4p+1
//: prints inf -INF nan NAN -0.0
kernel void k(float x, double y, float zero) {
    printf("%f %e %g %.11f [%10.3f]\n", x, x, x, x, x);
    printf("%f %.2f %.0f %.1E %g [%-10.3f] %a\n", y, y, y, y, y, y, y);
    printf("%f %F %f %F %.1f\n", 1 / zero, -1 / zero, zero / zero, -(zero / zero), -zero);
}
//---- texts
//: global 4
//: not host: its text goes to the output of the test
//: prints 0 is even, [zero ] [ ze]
//: prints 1 is odd, [one  ] [ on]
//: prints 2 is even, [many ] [ ma]
//: prints 3 is odd, [many ] [ ma]
constant char few[] = "one";
kernel void k() {
    int i = get_global_id(0);
    printf("%d is " "%s, [%-5s] [%3.2s]\n", i, i & 1 ? "odd" : "even", i == 0 ? "zero" : i == 1 ? few : "many",
           i == 0 ? "zero" : i == 1 ? few : "many");
}
//---- order
//: global 4,2
//: local 2,1
//: offset 10,20
//: arg in=i32[8]:iota
//: not host: its text goes to the output of the test
//: prints (10,20): 0.
//: prints (11,20): 0. 1.
//: prints (12,20): 0. 1. 2.
//: prints (13,20): 0. 1. 2. 3.
//: prints (10,21): 0. 1. 2. 3. 4.
//: prints (11,21): 0. 1. 2. 3. 4. 5.
//: prints (12,21): 0. 1. 2. 3. 4. 5. 6.
//: prints (13,21): 0. 1. 2. 3. 4. 5. 6. 7.
kernel void k(global int* in) {
    int x = get_global_id(0), y = get_global_id(1);
    printf("(%d,%d):", x, y);
    for (int j = 0; j <= in[(y - 20) * 4 + x - 10]; j++) printf(" %d.", j);
    printf("\n");
}
//---- across_groups_and_barriers
//: global 6
//: local 3
//: not host: its text goes to the output of the test
//: prints 0: before 0, after 1
//: prints 1: before 10, after 2
//: prints 2: before 20, after 0
//: prints 3: before 30, after 1
//: prints 4: before 40, after 2
//: prints 5: before 50, after 0
kernel void k() {
    local int t[3];
    int i = get_global_id(0), l = get_local_id(0);
    printf("%d: before %d", i, 10 * i);
    t[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    printf(", after %d\n", t[(l + 1) % 3]);
}
//---- in_helpers_and_ways_out
//: global 5
//: arg out=i32[5]
//: not host: its text goes to the output of the test
//: not opencl: no exceptions there
//: expect out = i == 3 ? 7 : 0
//: prints 0: start
//: prints 0: 0, 1, and so on
//: prints 1: start
//: prints 2: start
//: prints 2: 2, 3, and so on
//: prints 3: start
//: prints 3: thrown, caught 7
//: prints 4: start
//: prints 4: 4, 5, and so on
int tell(int i) {
    printf("%d: ", i);
    if (i == 3) {
        printf("thrown, ");
        throw 7;
    }
    return printf("%d, %d", i, i + 1);
}
kernel void k(global int* out) {
    int i = get_global_id(0);
    printf("%d: start\n", i);
    if (i == 1) return;
    try {
        out[i] = tell(i) + printf(", and so on\n");
    } catch (int e) {
        out[i] = e;
        printf("caught %d\n", e);
    }
}
//---- what_trapped_work_items_printed
//: global 3
//: arg out=i32[3]
//: not host: its text goes to the output of the test
//: not opencl: no exceptions there
//: trap throw int 1 at 1 count 1
//: expect out = i == 1 ? 0 : 2
//: prints 0 begins
//: prints 0 ends
//: prints 1 begins
//: prints 2 begins
//: prints 2 ends
kernel void k(global int* out) {
    int i = get_global_id(0);
    printf("%d begins\n", i);
    if (i == 1) throw i;  // trap here
    out[i] = 2;
    printf("%d ends\n", i);
}
//---- full_buffer
//: global 1
//: flags --printf-buffer 64
//: arg out=i32[3]
//: not host: its text goes to the output of the test
//: not opencl: has its own buffer
//: expect out = {0, -1, -1}
//: prints 1 2 3 4
kernel void k(global int* out) {
    out[0] = printf("%d %d %d %d\n", 1, 2, 3, 4);
    out[1] = printf("%d %d\n", 5, 6);
    out[2] = printf("more\n");
}
//---- conversions_without_arguments
//: global 1
//: arg out=i32[1]
//: flags -w
//: not host: its text goes to the output of the test
//: not opencl: no meaning there
//: expect out = 3
//: prints 7 %d %y 100%
kernel void k(global int* out) {
    int n = 2;
    printf("%d %d %y 100%%\n", 7);
    printf("", n++);
    out[0] = n;
}
//---- arguments_are_converted
//: global 1
//: arg f=3.75f
//: flags -w
//: not host: its text goes to the output of the test
//: not opencl: no meaning there
//: prints 3 2.000000 -1 4294967295
kernel void k(float f) { printf("%d %f %d %lu\n", f, 2, 0xffffffffffffffffUL, 0xffffffffu); }
//---- a_table_beside_formats
//: global 3
//: arg out=i32[3]
//: not host: its text goes to the output of the test
//: expect out = {10, 20, 30}
//: prints 0 10 a
//: prints 1 20 a
//: prints 2 30 a
constant int table[] = {10, 20, 30};
kernel void k(global int* out) {
    int i = get_global_id(0);
    printf("%d %d %s\n", i, table[i], "a");
    out[i] = table[i];
}
//---- vectors
//: global 2
//: arg out=i32[2]
//: not host: its text goes to the output of the test
//: expect out = 0
//: prints 1.00,2.00,0.50 -1,2,3,4 [ff,01] [  7,  8] 0.250000,inf
//: prints 2.00,3.00,1.50 0,2,3,4 [ff,01] [  7,  8] 0.250000,inf
kernel void k(global int* out) {
    int i = get_global_id(0);
    float3 f = (float3)(1, 2, 0.5f) + i;
    int4 v = (int4)(i - 1, 2, 3, 4);
    out[i] = printf("%.2v3hlf %v4hld [%02v2hhx] [%3v2hu] %v2lf\n", f, v, (uchar2)(255, 1), (ushort2)(7, 8),
                    (double2)(0.25, INFINITY));
}
//---- texts_behind_pointers
//: global 3
//: not host: its text goes to the output of the test
//: prints a red x 0
//: prints a green x 1
//: prints ue (null) 2 (null)
constant char* constant colours[] = {"red", "green", "blue"};
constant char colour_names[][6] = {"red", "green", "blue"};
void say(constant char* before, constant char* name, int n) { printf("%s %s %d %s\n", before, name, n, (void*)0); }
kernel void k() {
    int i = get_global_id(0);
    constant char* none = 0;
    if (i < 2)
        printf("%s %s x %d\n", "a", colours[i], i);
    else
        say(colour_names[i] + 2, none, i);
}
//---- a_format_in_an_array
//: global 1
//: not host: its text goes to the output of the test
//: prints 7 is seven
constant char form[] = "%d is %s\n";
kernel void k() { printf(form, 7, "seven"); }
