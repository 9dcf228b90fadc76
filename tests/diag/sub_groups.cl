// Sub-groups: sizes that no machine has, arguments without a meaning, and functions that cannot be shared.
__attribute__((reqd_sub_group_size(12))) kernel void twelve(global int* out) { out[0] = 1; }
__attribute__((intel_reqd_sub_group_size(16, 1))) kernel void two(global int* out) { out[0] = 1; }
struct pair { int a, b; };
__attribute__((shared_region)) int shared(int x) { return sub_group_any(x); }
kernel void k(global int* out, global float* real) {
    struct pair p = {1, 2};
    out[0] = sub_group_reduce_add(p);
    out[1] = sub_group_any(p);
    out[2] = sub_group_non_uniform_reduce_and(real[0]);
    out[3] = sub_group_shuffle(out[0], real[0]);
    out[4] = sub_group_elect(1);
    real[0] = sub_group_broadcast_first(real);
    out[5] = shared(out[4]) + shared(out[3]);
    sub_group_barrier();
}
