// A region that calls share has one place where its work-items meet, which would be that of all calls.
int votes(int x) { return sub_group_any(x); }
__attribute__((shared_region)) int shared(int x) { return 2 * votes(x); }
kernel void k(global int* out) {
    out[0] = shared(out[1]) + shared(out[2]);
}
