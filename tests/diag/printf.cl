//---- ok
constant char name[] = "a";
kernel void k(global int* p, float f, double d, long l, uchar c) {
    printf("%d %i %u %o %x %X %c %f %F %e %E %g %G %a %A %s %p %%\n", 1, 2, 3, 4, 5, 6, 'c', f, d, f, d, f, d, f, d,
           name, p);
    printf("%hhd %hd %ld %lld %hhu %hu %lu %llx", c, c, l, l, c, c, (ulong)l, l);
    printf("%-+ #08.3f %05d %+d % d %#x %.2s %5c", d, 1, 2, 3, 4, l ? "yes" : "no", c);
    int n = printf("plain");
    p[0] = n;
}
//---- types
kernel void k(global int* p, float f, long l) {
    printf("%d %f %ld", f, l, 3);
    printf("%-5d and %.3f", l, 1);
    printf("%x %c", l, 2.0);
    printf("%p %d", 1, p);
    printf("one " "%d " "two", 1L);
    printf("tab\t%d", 1UL);
#define FORMAT "%d\n"
    printf(FORMAT, f);
}
//---- counts
kernel void k(int x) {
    printf("%d %d\n", x);
    printf("%d\n", x, x + 1, x);
    printf("%%\n", x);
}
//---- formats
kernel void k(int x) {
    printf("%y %", x);
    printf("%*d", x, x);
    printf("%zu %n %Lf");
    printf("%5000d %.99999d", x, x);
    printf("%#d %05s %+u % x", x, "a", x, x);
}
//---- errors
struct s { int a; };
kernel void k(constant char* format, global char* text, int n) { struct s v; struct s* p = &v;
    printf();
    printf(format);
    printf(text, 1);
    printf("%s %d", text, *p);
}
//---- error_vector
kernel void k(int x, global float4* p) { printf("%v4d", x); printf("%d", p[0]); printf("%v4d", p[0]); printf("%v3f", *p); }
//---- vector_types
kernel void k(global float4* p, global uchar2* q) { printf("%v4lf %v2x", p[0], q[0]); printf("%v4hlf %v2hhx", p[0], q[0]); }
//---- names
kernel void k(int x) { printff("%d", x); }
//---- ok_own_printf
int printf(int x) { return x; }
kernel void k(global int* p) { p[0] = printf(3); }
//---- strings
constant char* constant names[] = {"a", "b"};
constant char* one = "one";
kernel void k(global char* p) {
    char s[2] = "abc", t[] = {"a", "b"}, u = "a";
    private char* q = "text";
    p[0] = "\q"[0] + "\777"[0];
    "abc"[0] = 'x';
    global char* g = "abc";
    int w[] = "abc";
}
