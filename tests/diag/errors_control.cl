//---- break_and_continue
kernel void k(global int* out) {
    break;
    continue;
    if (out[0]) break;
    switch (out[0]) { case 1: continue; }
}
//---- cases
kernel void k(global int* out, int n) {
    case 1: out[0] = 1;
    default: out[0] = 2;
    switch (n) {
        case 1: out[0] = 3; break;
        case 1: out[0] = 4; break;
        case n: out[0] = 5; break;
        case 1.5f: out[0] = 6; break;
        default: out[0] = 7; break;
        default: out[0] = 8;
    }
}
//---- duplicate_after_conversion
kernel void k(global int* out, uint n) {
    switch (n) {
        case -1: out[0] = 1; break;
        case 0xffffffff: out[0] = 2;
    }
}
//---- into_try
kernel void k(global int* out) {
    goto inside;
    try {
        inside:
        throw 1;
    } catch (int e) {
        handler:
        out[0] = e;
    }
    goto handler;
}
//---- case_inside_try
kernel void k(global int* out) {
    switch (out[0]) {
        case 1:
            try {
                case 2: throw 1;
            } catch (...) { }
    }
}
//---- throw_outside_handler
kernel void k(global int* out) {
    throw;
    try { throw 1; } catch (int e) { out[0] = e; throw; }
    throw;
}
//---- what_can_be_thrown
void nothing(void) { }
kernel void k(global int* out) {
    if (out[0] == 1) throw out;
    if (out[0] == 2) throw nothing();
    if (out[0] == 3) throw missing;
}
//---- what_can_be_caught
kernel void k(global int* out) {
    try { throw 1; }
    catch (global int* p) { out[0] = 1; }
    catch (unknown e) { out[1] = 1; }
    catch (void) { out[2] = 2; }
}
//---- order_of_handlers
kernel void k(global int* out) {
    try { throw 1; }
    catch (...) { out[0] = 1; }
    catch (int e) { out[1] = e; }
}
//---- too_deep
kernel void k(global int* out) {
    out[0] = ((((((((((out[1]))))))))));
    typedef int a[3];
    a x = {1};
    out[1] = x[0]
}
