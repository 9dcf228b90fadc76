//---- body
#define SQUARE(x) ((x) * (x) + wrong)
kernel void k(global int* out) {
    out[0] = 1 + SQUARE(out[1]);
}
//---- argument
#define TWICE(x) ((x) + (x))
#define STORE(to, what) to = TWICE(what)
kernel void k(global int* out) {
    STORE(out[0], missing + 1);
}
//---- operands
#define LESS(a, b) ((a) < (b))
kernel void k(global int* out, global float* f) {
    out[0] = LESS(out, f);
}
//---- pasted
#define NAME(a, b) a##b
kernel void k(global int* out) {
    out[0] = NAME(lost, _name) + 1;
}
//---- several-lines
#define SUM(a, b) \
    ((a) + \
     (b) + here)
kernel void k(global int* out) {
    out[0] = SUM(1,
                 there);
}
//---- deep
#define A one B
#define B + C
#define C D * 2
#define D E
#define E F
#define F G
#define G (H)
#define H two
kernel void k(global int* out) {
    int one = 1;
    out[0] = A;
}
//---- half-and-half
#define OPEN (
#define PLUS +
kernel void k(global int* out) {
    out[0] = OPEN 1 PLUS ;
}
//---- counts
#define F(a, b) a + b
#define G() 0
#define V(a, ...) a
kernel void k(global int* out) {
    out[0] = F(1) + F(1, 2, 3) + G(1) + V();
    out[1] = F(1, 2;
}
//---- options -DN=nothing
kernel void k(global int* out) {
    out[0] = N;
}
//---- lines
#line 100 "generated.cl"
kernel void k(global int* out) {
    out[0] = oops;
}
//---- ok-nothing-to-say
#define EACH(F, ...) F(__VA_ARGS__)
#define ADD(a, b) ((a) + (b))
kernel void k(global int* out) {
    out[0] = EACH(ADD, 1, 2);
}
