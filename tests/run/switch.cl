// switch: fall-through, default anywhere, cases inside nested statements.
//---- dense_cases
//: global 8
//: arg out=i32[8]
//: expect out = {10, 11, 12, 13, -1, -1, -1, -1}
kernel void k(global int* out) {
    int i = get_global_id(0);
    switch (i) {
        case 0: out[i] = 10; break;
        case 1: out[i] = 11; break;
        case 2: out[i] = 12; break;
        case 3: out[i] = 13; break;
        default: out[i] = -1;
    }
}
//---- fall_through
//: global 6
//: arg out=i32[6]
//: expect out = {111, 110, 100, 100, 100, 0}
kernel void k(global int* out) {
    int i = get_global_id(0), n = 0;
    switch (i) {
        case 0: n += 1;
        case 1: n += 10;
        case 2:
        case 3:
        case 4: n += 100;
    }
    out[i] = n;
}
//---- default_in_the_middle
//: global 5
//: arg out=i32[5]
//: expect out = {1, 6, 4, 6, 6}
kernel void k(global int* out) {
    int i = get_global_id(0), n = 0;
    switch (i) {
        case 0: n = 1; break;
        default: n += 2;
        case 2: n += 4;
    }
    out[i] = n;
}
//---- without_default
//: global 4
//: arg out=i32[4]:fill(9)
//: expect out = {9, 5, 9, 9}
kernel void k(global int* out) {
    int i = get_global_id(0);
    switch (i) {
        case 1: out[i] = 5;
    }
}
//---- negative_and_far_cases
//: global 6
//: arg in=i32[6]:iota
//: arg out=i32[6]
//: expect out = {1, 2, 3, 0, 0, 0}
kernel void k(global const int* in, global int* out) {
    int i = get_global_id(0);
    int x = i == 0 ? -2147483647 - 1 : i == 1 ? 2147483647 : i == 2 ? -5 : i;
    switch (x) {
        case INT_MIN: out[i] = 1; break;
        case 0x7fffffff: out[i] = 2; break;
        case -5: out[i] = 3; break;
    }
}
//---- long_selector
//: global 4
//: arg out=i32[4]
//: expect out = {7, 8, 9, 0}
kernel void k(global int* out) {
    long i = get_global_id(0);
    switch (i << 32) {
        case 0: out[i] = 7; break;
        case 4294967296: out[i] = 8; break;
        case 8589934592: out[i] = 9; break;
    }
}
//---- uchar_selector
//: global 4
//: arg out=i32[4]
//: expect out = {1, 2, 0, 0}
kernel void k(global int* out) {
    int i = get_global_id(0);
    uchar c = i + 255;
    switch (c) {
        case 255: out[i] = 1; break;
        case 0: out[i] = 2; break;
        case 256: out[i] = 3; break;
    }
}
//---- constant_expressions_as_cases
//: global 10
//: arg out=i32[10]
//: expect out = {0, 0, 0, 1, 0, 0, 2, 0, 3, 0}
kernel void k(global int* out) {
    int i = get_global_id(0);
    switch (i) {
        case 1 + 2: out[i] = 1; break;
        case sizeof(int) + 2: out[i] = 2; break;
        case 1 << 3: out[i] = 3; break;
    }
}
//---- in_a_loop_with_continue
//: global 10
//: arg out=i32[10]
//: expect out = sum(j, 0, i, j % 3 == 0 ? 1 : j % 3 == 1 ? 0 : 100)
kernel void k(global int* out) {
    int i = get_global_id(0), n = 0;
    for (int j = 0; j < i; j++) {
        switch (j % 3) {
            case 0: n++; break;
            case 1: continue;
            default: n += 100;
        }
    }
    out[i] = n;
}
//---- nested_switches
//: global 9
//: arg out=i32[9]
//: expect out = i / 3 == 0 ? i % 3 + 10 : i / 3 == 1 ? 20 : i % 3 == 0 ? 30 : 31
kernel void k(global int* out) {
    int i = get_global_id(0);
    switch (i / 3) {
        case 0:
            switch (i % 3) {
                case 0: out[i] = 10; break;
                case 1: out[i] = 11; break;
                case 2: out[i] = 12;
            }
            break;
        case 1: out[i] = 20; break;
        case 2:
            switch (i % 3) {
                case 0: out[i] = 30; break;
                default: out[i] = 31;
            }
    }
}
//---- duffs_device
//: global 12
//: arg from=i32[144]:iota
//: arg to=i32[144]
//: expect to = i % 12 <= i / 12 ? i * 1 : 0
kernel void k(global const int* from, global int* to) {
    int row = get_global_id(0), count = row + 1;
    global const int* s = from + row * 12;
    global int* d = to + row * 12;
    int n = (count + 3) / 4;
    switch (count % 4) {
        case 0: do { *d++ = *s++;
        case 3:      *d++ = *s++;
        case 2:      *d++ = *s++;
        case 1:      *d++ = *s++;
                } while (--n > 0);
    }
}
//---- case_inside_an_if
//: global 4
//: arg out=i32[4]
//: expect out = {1, 3, 2, 0}
kernel void k(global int* out) {
    int i = get_global_id(0), n = 0;
    switch (i) {
        case 0:
            if (i) {
        case 2:
                n = 2;
            } else {
                n = 1;
            }
            break;
        case 1: n = 3;
    }
    out[i] = n;
}
//---- statements_before_the_first_case
//: global 2
//: arg out=i32[2]
//: expect out = {4, 0}
kernel void k(global int* out) {
    int i = get_global_id(0);
    switch (i) {
        out[i] = 9;
        case 0: out[i] = 4;
    }
}
//---- selector_has_effects_once
//: global 3
//: arg out=i32[3]
//: expect out = i * 10 + 1
kernel void k(global int* out) {
    int i = get_global_id(0), n = 0;
    switch (n++, i) {
        case 0: break;
        case 1: n += 10; break;
        case 2: n += 20;
    }
    out[i] = n;
}
//---- uniform_selector
//: global 32
//: arg out=i32[32]
//: arg mode=2
//: expect out = i * i
kernel void k(global int* out, int mode) {
    int i = get_global_id(0);
    switch (mode) {
        case 0: out[i] = 0; break;
        case 1: out[i] = i; break;
        case 2: out[i] = i * i; break;
        case 3: out[i] = i * i * i;
    }
}
//---- many_cases
//: global 40
//: arg out=i32[40]
//: expect out = i < 32 ? i * 7 % 32 : -1
kernel void k(global int* out) {
    int i = get_global_id(0), n = -1;
    switch (i) {
        case 0: n = 0; break;    case 1: n = 7; break;    case 2: n = 14; break;   case 3: n = 21; break;
        case 4: n = 28; break;   case 5: n = 3; break;    case 6: n = 10; break;   case 7: n = 17; break;
        case 8: n = 24; break;   case 9: n = 31; break;   case 10: n = 6; break;   case 11: n = 13; break;
        case 12: n = 20; break;  case 13: n = 27; break;  case 14: n = 2; break;   case 15: n = 9; break;
        case 16: n = 16; break;  case 17: n = 23; break;  case 18: n = 30; break;  case 19: n = 5; break;
        case 20: n = 12; break;  case 21: n = 19; break;  case 22: n = 26; break;  case 23: n = 1; break;
        case 24: n = 8; break;   case 25: n = 15; break;  case 26: n = 22; break;  case 27: n = 29; break;
        case 28: n = 4; break;   case 29: n = 11; break;  case 30: n = 18; break;  case 31: n = 25; break;
    }
    out[i] = n;
}
//---- classes_of_bytes
// Cases one after the other with one target, some in any order, some at the ends of the type, some that lead
// where the default does.
//: global 256
//: arg out=i32[256]
//: expect out = i >= 48 && i <= 57 ? 1 : i == 9 || i == 10 || i == 13 || i == 32 ? 2 : i >= 97 && i <= 102 ? 3 : i == 91 || i == 93 ? 4 : i >= 253 || i <= 2 ? 5 : 0
kernel void k(global int* out) {
    uchar c = get_global_id(0);
    int of = 0;
    switch (c) {
        case '0': case '1': case '2': case '3': case '4': case '5': case '6': case '7': case '8': case '9':
            of = 1;
            break;
        case ' ': case '\t': case '\n': case '\r': of = 2; break;
        case 'f': case 'b': case 'd': case 'e': case 'a': case 'c': of = 3; break;
        case '[': case ']': of = 4; break;
        case 255: case 0: case 254: case 2: case 1: case 253: of = 5; break;
        case 60: case 61:
        default: break;
    }
    out[c] = of;
}
//---- classes_of_a_uniform_value
//: global 300
//: arg in=i32[300]:iota
//: arg out=i32[300]
//: expect out = i - 150 >= -3 && i - 150 <= 2 ? 1 : i - 150 >= 5 && i - 150 <= 9 ? 2 : i - 150 == 10 ? 3 : i - 150 >= 20 && i - 150 <= 22 ? 4 : i - 150 == 40 || i - 150 == 42 ? 5 : 0
kernel void k(global const int* in, global int* out) {
    if (get_global_id(0) == 0)
        for (int j = 0; j < 300; j++) {
            int of = 0;
            switch (in[j] - 150) {
                case -1: case -2: case 0: case 1: case -3: case 2: of = 1; break;
                case 5: case 6: case 7: case 8: case 9: of = 2; break;
                case 10: of = 3; break;
                case 20: case 21: case 22: of = 4; break;
                case 40: case 42: of = 5; break;
            }
            out[j] = of;
        }
}
//---- cases_for_every_value
//: global 12
//: arg out=i32[12]
//: expect out = i % 4 == 0 ? 7 : i % 4 < 3 ? 8 : 9
kernel void k(global int* out) {
    int i = get_global_id(0);
    switch (i & 3) {
        case 0: out[i] = 7; break;
        case 1: case 2: out[i] = 8; break;
        case 3: out[i] = 9; break;
    }
}
//---- clusters_of_longs
//: global 9
//: arg out=i32[9]
//: expect out = {0, 1, 1, 1, 0, 2, 2, 2, 0}
kernel void k(global int* out) {
    int i = get_global_id(0);
    long n = i < 5 ? (long)i + 0xfffffffe : (long)i - 7;
    switch (n) {
        case 0xffffffff: case 0x100000000: case 0x100000001: out[i] = 1; break;
        case -2: case -1: case 0: out[i] = 2; break;
        default: out[i] = 0;
    }
}
