__attribute__((reqd_work_group_size(64, 1, 1), sparkling))
kernel void k(global int* out, global const int* in) {
    global int* p = in;
    int;
    try { out[0] = 1; } catch (int a) { } catch (int b) { }
}
__attribute__((reqd_work_group_size(64, 0, 1))) kernel void bad(global int* out) { }
