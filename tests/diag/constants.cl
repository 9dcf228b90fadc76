constant int missing;
int plain = 3;
const float table[2] = {1, 2};
global int counter;
local int shared[4];
constant int computed = get_work_dim();
constant int other = missing + 1;
constant int copied = computed;
constant int good[2] = {1, 2};
constant float too_many[2] = {1, 2, 3};
kernel void k(global int* out) {
    good[0] = 1;
    constant int inside;
    constant int fine = 2;
    int* p = good;
    out[0] = fine + *p;
}
