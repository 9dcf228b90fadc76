//---- in_a_branch
kernel void k(global int* out) {
    size_t i = get_local_id(0);
    if (i < 16) {
        out[i] = 1;
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
    out[i] = 2;
}
//---- by_what_was_loaded
kernel void k(global int* out, global const int* in) {
    int n = in[get_global_id(0)];
    while (n > 0) {
        n--;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = n;
}
//---- by_what_a_branch_wrote
kernel void k(global int* out) {
    int flag = 0;
    if (get_local_id(0) == 0) flag = 1;
    if (flag) barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = flag;
}
//---- different_trip_counts
kernel void k(global int* out, int n) {
    for (int i = get_local_id(0); i < n; i += 64) {
        out[i] = 1;
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}
//---- left_by_some
kernel void k(global int* out, int n) {
    for (int i = 0; i < n; i++) {
        if (out[get_local_id(0)] == i) break;
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
    out[get_local_id(0)] = n;
}
//---- in_a_called_function
void sync(void) { barrier(CLK_LOCAL_MEM_FENCE); }
void twice(void) { sync(); sync(); }
kernel void k(global int* out) {
    if (get_local_id(0) > 3) twice();
    out[get_local_id(0)] = 1;
}
//---- in_a_switch_and_a_goto
kernel void k(global int* out) {
    size_t i = get_local_id(0);
    switch (i & 1) {
        case 0: barrier(CLK_LOCAL_MEM_FENCE); break;
        default: out[i] = 1;
    }
    if (i > 7) goto skip;
    barrier(CLK_LOCAL_MEM_FENCE);
skip:
    out[i] = 2;
}
//---- by_an_atomic
kernel void k(global int* out) {
    if (atomic_inc(out) == 0) barrier(CLK_GLOBAL_MEM_FENCE);
    out[1] = 2;
}
//---- ok_reduction
kernel void k(global const float* in, global float* out, local float* tile, int n) {
    uint lid = get_local_id(0), gid = get_global_id(0);
    tile[lid] = gid < n ? in[gid] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = get_local_size(0) / 2; s > 0; s >>= 1) {
        if (lid < s) tile[lid] += tile[lid + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lid == 0) out[get_group_id(0)] = tile[0];
}
//---- ok_uniform_conditions
kernel void k(global int* out, global const int* sizes, int n) {
    int i = get_local_id(0);
    out[i] = i;
    for (i = 0; i < n; i++) {
        if (n & 1) barrier(CLK_GLOBAL_MEM_FENCE);
        out[get_local_id(0)] += out[i];
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
    if (sizes[get_group_id(0)] > 3) {
        int t = get_local_id(0);
        barrier(CLK_GLOBAL_MEM_FENCE);
        out[t] = 2;
    }
}
//---- ok_early_return
kernel void k(global int* out, int n) {
    int i = get_global_id(0);
    if (i >= n) return;
    out[i] = 1;
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[i] = out[n - 1 - i];
}
//---- ok_tiles
kernel void k(global const float* a, global float* c, local float* tile, int n) {
    int row = get_local_id(1), column = get_local_id(0);
    float sum = 0;
    for (int t = 0; t < n / 16; t++) {
        tile[row * 16 + column] = a[t * 16 + column];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int j = 0; j < 16; j++)
            if (column > j) sum += tile[row * 16 + j];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[row] = sum;
}
//---- ok_until_nothing_changes
kernel void k(global int* out) {
    local int tile[64], changed;
    int l = get_local_id(0), rounds = 0;
    tile[l] = out[l];
    do {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l == 0) changed = 0;
        int near = tile[l ^ 1];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (near > tile[l]) {
            tile[l] = near;
            changed = 1;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    } while (changed && ++rounds < 24);
    out[l] = tile[l];
}
//---- results_of_work_group_functions
kernel void k(global int* out) {
    int x = out[get_global_id(0)];
    while (work_group_any(x > 0)) {
        x -= 3;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (work_group_all(x < -1) && work_group_broadcast(x, 0) < work_group_reduce_max(x)) x += work_group_reduce_add(x);
    if (work_group_scan_inclusive_add(x) > 5) barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = x;
}
//---- ok_vote_in_a_function
int any_of(local int* flag, int mine) {
    if (get_local_id(0) == 0) *flag = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (mine) atomic_or(flag, 1);
    barrier(CLK_LOCAL_MEM_FENCE);
    int all = *flag;
    barrier(CLK_LOCAL_MEM_FENCE);
    return all;
}
kernel void k(global int* x, int rounds) {
    local int flag;
    int v = x[get_global_id(0)];
    for (int r = 0; r < rounds; r++) {
        if (!any_of(&flag, v > 9)) break;
        v /= 2;
    }
    x[get_global_id(0)] = v;
}
//---- no_vote_in_a_function
int sum(local int* t, int mine) {
    t[get_local_id(0)] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);
    return t[get_local_id(0) ^ 1] + mine;
}
int own(local int* t, int mine) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (mine > 3) mine = *t;
    return mine;
}
kernel void k(global int* x) {
    local int t[64];
    int v = x[get_global_id(0)];
    if (sum(t, v) > 3) barrier(CLK_LOCAL_MEM_FENCE);
    if (own(t, v) > 3) barrier(CLK_LOCAL_MEM_FENCE);
    if (own(t + (v & 1), 3) > 3) barrier(CLK_LOCAL_MEM_FENCE);
}
//---- in_a_function_that_returns_a_value
int f(local int* t) {
    if (get_local_id(0) < 3) barrier(CLK_LOCAL_MEM_FENCE);
    return *t;
}
kernel void k(global int* x) {
    local int t;
    t = 0;
    x[get_global_id(0)] = f(&t);
}
//---- return_before_a_barrier -Wpedantic
kernel void k(global int* x, int n) {
    local int t[64];
    int i = get_global_id(0);
    if (n < 3) return;
    if (i >= n) return;
    t[get_local_id(0)] = x[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    x[i] = t[63 - get_local_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
}
//---- ok_return_behind_the_last_barrier -Wpedantic
kernel void k(global int* x, int n) {
    int i = get_global_id(0);
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (i >= n) return;
    x[i] = 1;
}
//---- no_votes_either
void put(int* o, int v) { *o = v; }
int other(local int* c, int v) {
    int o = 0;
    put(&o, v);
    barrier(CLK_LOCAL_MEM_FENCE);
    return o;
}
int id(void) { return get_local_linear_id(); }
int ids(local int* c, int v) {
    barrier(CLK_LOCAL_MEM_FENCE);
    return id();
}
int element(local int* c, int v) {
    int y[2];
    y[v & 1] = v;
    y[~v & 1] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    return y[0];
}
int out_of(local int* c, int v, int* o) {
    barrier(CLK_LOCAL_MEM_FENCE);
    *o = v;
    return *c;
}
kernel void k(global int* x) {
    local int t;
    int v = get_local_id(0), o = 0;
    if (other(&t, v)) barrier(CLK_LOCAL_MEM_FENCE);
    if (ids(&t, v)) barrier(CLK_LOCAL_MEM_FENCE);
    if (element(&t, v)) barrier(CLK_LOCAL_MEM_FENCE);
    if (out_of(&t, v, &o), o) barrier(CLK_LOCAL_MEM_FENCE);
    x[0] = 1;
}
//---- returns_of_some -Wpedantic
kernel void both(global int* x, int n) {
    int i = get_global_id(0);
    if (i >= n && n) return;
    barrier(CLK_GLOBAL_MEM_FENCE);
    x[i] = 1;
}
kernel void inner(global int* x, int n) {
    int i = get_global_id(0);
    if (i == 3) {
        if (n > 3) return;
        x[0] = 1;
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
    x[i] = 1;
}
//---- ok_that_is_no_return_of_a_work_item -Wpedantic
void f(local int* t) {
    if (get_local_id(0) > 3) return;
    *t = 1;
    if (get_group_id(0)) barrier(CLK_LOCAL_MEM_FENCE);
}
kernel void k(global int* x) {
    local int t;
    int i = get_global_id(0);
    f(&t);
    if (i > 60) throw 3;
    if (i > 600)
        for (;;) {
        }
    barrier(CLK_GLOBAL_MEM_FENCE);
    x[i] = t;
}
//---- ok_numbers_of_groups
kernel void k(global int* o, int n) {
    uint g = get_global_id(0) / get_local_size(0);
    int id = get_global_id(1), size = get_local_size(1), row = id / size;
    if (g & 1) barrier(CLK_LOCAL_MEM_FENCE);
    if (get_global_id(2) - get_local_id(2) > n) barrier(CLK_LOCAL_MEM_FENCE);
    if (row > n) barrier(CLK_LOCAL_MEM_FENCE);
    o[g] = 1;
}
//---- no_numbers_of_groups
kernel void k(global int* o, int n) {
    int id = get_global_id(0);
    if (get_global_id(1) / get_local_size(0) > n) barrier(CLK_LOCAL_MEM_FENCE);
    id++;
    if (id / get_local_size(0) > n) barrier(CLK_LOCAL_MEM_FENCE);
    o[0] = 1;
}
//---- wrapped_ids
kernel void k(global int* o) {
    uchar id = get_global_id(0), a = get_local_id(0);
    if (id / get_local_size(0) > 0) barrier(CLK_LOCAL_MEM_FENCE);
    if (id - a) barrier(CLK_LOCAL_MEM_FENCE);
    o[get_global_id(0)] = 1;
}
