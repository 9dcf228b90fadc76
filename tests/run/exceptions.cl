// Exceptions: throw, try, catch, rethrow; each work-item for itself.
//---- thrown_and_caught
//: global 10
//: arg out=i32[10]
//: not opencl: no exceptions there
//: expect out = i < 4 ? -i : i
kernel void k(global int* out) {
    int i = get_global_id(0);
    try {
        if (i < 4) throw i;
        out[i] = i;
    } catch (int code) {
        out[i] = -code;
    }
}
//---- out_of_a_helper
//: global 16
//: arg out=i32[16]
//: not opencl: no exceptions there
//: expect out = i % 3 == 0 ? 1000 + i : i * 2
int checked(int x) {
    if (x % 3 == 0) throw x + 1000;
    return x * 2;
}
kernel void k(global int* out) {
    int i = get_global_id(0);
    try {
        out[i] = checked(i);
    } catch (int code) {
        out[i] = code;
    }
}
//---- handlers_by_type
//: global 12
//: arg out=i32[12]
//: not opencl: no exceptions there
//: expect out = {0, 101, 202, 303, 404, 505, 606, 707, 808, 909, 1010, 11}
kernel void k(global int* out) {
    int i = get_global_id(0);
    try {
        switch (i) {
            case 1: throw (char)1;
            case 2: throw (uchar)2;
            case 3: throw (short)3;
            case 4: throw (ushort)4;
            case 5: throw 5;
            case 6: throw 6u;
            case 7: throw 7L;
            case 8: throw 8UL;
            case 9: throw 9.0f;
            case 10: throw 10.0;
        }
        out[i] = i;
    } catch (char v) {
        out[i] = 100 + v;
    } catch (uchar v) {
        out[i] = 200 + v;
    } catch (short v) {
        out[i] = 300 + v;
    } catch (ushort v) {
        out[i] = 400 + v;
    } catch (int v) {
        out[i] = 500 + v;
    } catch (uint v) {
        out[i] = 600 + v;
    } catch (long v) {
        out[i] = 700 + v;
    } catch (ulong v) {
        out[i] = 800 + v;
    } catch (float v) {
        out[i] = 900 + v;
    } catch (double v) {
        out[i] = 1000 + v;
    }
}
//---- catch_all
//: global 4
//: arg out=i32[4]
//: not opencl: no exceptions there
//: expect out = {1, 2, 3, 3}
kernel void k(global int* out) {
    int i = get_global_id(0);
    try {
        if (i == 0) throw 1.5f;
        if (i == 1) throw 2;
        if (i == 2) throw 3L;
        out[i] = 3;
    } catch (float f) {
        out[i] = f;
    } catch (int v) {
        out[i] = v;
    } catch (...) {
        out[i] = 3;
    }
}
//---- typedefs_do_not_make_types
//: global 1
//: arg out=i32[1]
//: not opencl: no exceptions there
//: expect out = {8}
typedef int error_code;
kernel void k(global int* out) {
    try {
        const error_code e = 8;
        throw e;
    } catch (int v) {
        out[0] = v;
    }
}
//---- passes_an_inner_try
//: global 6
//: arg out=i32[6]
//: not opencl: no exceptions there
//: expect out = i % 2 ? 10 + i : 20
kernel void k(global int* out) {
    int i = get_global_id(0);
    try {
        try {
            if (i & 1) throw i;
            throw 2.0f;
        } catch (float f) {
            out[i] = f * 10;
        }
    } catch (int v) {
        out[i] = 10 + v;
    }
}
//---- rethrow
//: global 8
//: arg out=i32[8]
//: not opencl: no exceptions there
//: expect out = i < 4 ? i + 101 : i + 1
kernel void k(global int* out) {
    int i = get_global_id(0);
    try {
        try {
            throw i;
        } catch (int v) {
            out[i] = 1;
            if (v < 4) throw;
            out[i] += v;
        }
    } catch (int v) {
        out[i] += v + 100;
    }
}
//---- rethrow_keeps_the_type
//: global 3
//: arg out=i32[3]
//: not opencl: no exceptions there
//: expect out = {1, 2, 3}
kernel void k(global int* out) {
    int i = get_global_id(0);
    try {
        try {
            if (i == 0) throw (uchar)1;
            if (i == 1) throw 2.0;
            throw 3;
        } catch (...) {
            throw;
        }
    } catch (uchar v) {
        out[i] = v;
    } catch (double v) {
        out[i] = v;
    } catch (int v) {
        out[i] = v;
    }
}
//---- throw_in_a_handler_goes_outward
//: global 4
//: arg out=i32[4]
//: not opencl: no exceptions there
//: expect out = i * 2 + 1
kernel void k(global int* out) {
    int i = get_global_id(0);
    try {
        try {
            throw i;
        } catch (int v) {
            throw v * 2;
        } catch (...) {
            out[i] = -1;
        }
    } catch (int v) {
        out[i] = v + 1;
    }
}
//---- in_a_loop_with_other_trip_counts
//: global 40
//: arg out=i32[40]
//: not opencl: no exceptions there
//: expect out = i % 5 == 4 ? 1000 + i % 8 : sum(j, 0, i % 8, j)
kernel void k(global int* out) {
    int i = get_global_id(0), sum = 0;
    try {
        for (int j = 0; j < i % 8; j++) sum += j;
        if (i % 5 == 4) throw i % 8;
    } catch (int v) {
        sum = 1000 + v;
    }
    out[i] = sum;
}
//---- try_inside_a_loop
//: global 20
//: arg out=i32[20]
//: not opencl: no exceptions there
//: expect out = sum(j, 0, i, j % 4 == 2 ? 100 : 1)
kernel void k(global int* out) {
    int i = get_global_id(0), n = 0;
    for (int j = 0; j < i; j++) {
        try {
            if (j % 4 == 2) throw 100;
            n++;
        } catch (int v) {
            n += v;
        }
    }
    out[i] = n;
}
//---- break_and_continue_leave_a_try
//: global 12
//: arg out=i32[12]
//: not opencl: no exceptions there
//: expect out = i < 7 ? sum(j, 0, i, j % 2) : 3
kernel void k(global int* out) {
    int i = get_global_id(0), n = 0;
    for (int j = 0; j < i; j++) {
        try {
            if (j % 2 == 0) continue;
            if (j == 7) break;
            n++;
        } catch (...) {
            n = -1;
        }
    }
    out[i] = n > 3 ? 3 : n;
}
//---- return_leaves_a_try
//: global 6
//: arg out=i32[6]
//: not opencl: no exceptions there
//: expect out = i < 3 ? 5 : 6
int f(int x) {
    try {
        if (x < 3) return 5;
    } catch (...) {
        return 7;
    }
    return 6;
}
kernel void k(global int* out) {
    int i = get_global_id(0);
    out[i] = f(i);
}
//---- goto_leaves_a_try_and_a_handler
//: global 6
//: arg out=i32[6]
//: not opencl: no exceptions there
//: expect out = {1, 2, 3, 1, 2, 3}
kernel void k(global int* out) {
    int i = get_global_id(0), n;
    try {
        if (i % 3 == 0) goto one;
        if (i % 3 == 1) throw 1;
        n = 3;
    } catch (int) {
        goto two;
    }
    goto end;
one:
    n = 1;
    goto end;
two:
    n = 2;
end:
    out[i] = n;
}
//---- effects_before_the_throw_stay
//: global 4
//: arg out=i32[8]
//: not opencl: no exceptions there
//: expect out = i % 2 ? -(i / 2) : i / 2 + 1
kernel void k(global int* out) {
    int i = get_global_id(0), n = i;
    try {
        out[2 * i] = n + 1;
        n = -n;
        throw 0;
    } catch (int) {
        out[2 * i + 1] = n;
    }
}
//---- shared_handler_of_two_calls
//: global 16
//: arg out=i32[16]
//: not opencl: no exceptions there
//: expect out = i % 4 == 0 ? -1 : i % 4 == 1 ? -2 : i % 4 == 2 ? 1 + 2 : 6
int halve(int x, int code) {
    if (x % 2) throw code;
    return x / 2;
}
kernel void k(global int* out) {
    int i = get_global_id(0), a = i % 4;
    try {
        int n = halve(a == 0 ? 1 : 2, 1);
        n += halve(a == 1 ? 1 : a == 2 ? 4 : 10, 2);
        out[i] = n;
    } catch (int code) {
        out[i] = -code;
    }
}
//---- throw_in_an_expression_after_effects
//: global 6
//: arg out=i32[6]
//: arg log=i32[6]
//: not opencl: no exceptions there
//: expect out = i < 2 ? -1 : i + 10
//: expect log = i < 2 ? 1 : 2
int note(global int* log) {
    ++*log;
    return 10;
}
int check(int x, global int* log) {
    if (x < 2) throw 'x';
    ++*log;
    return x;
}
kernel void k(global int* out, global int* log) {
    int i = get_global_id(0);
    try {
        int a = note(log + i);
        out[i] = a + check(i, log + i);
    } catch (...) {
        out[i] = -1;
    }
}
//---- words_are_names_elsewhere
//: global 1
//: arg out=i32[1]
//: not host: these are keywords of C++
//: not opencl: no exceptions there
//: expect out = {12}
kernel void k(global int* out) {
    int try = 3, catch = 4, throw = 5;
    try {
        throw = throw + 0;
        throw try + catch + throw;
    } catch (int e) {
        out[0] = e;
    }
}
//---- a_long_normal_path_reconverges
//: global 64
//: arg out=i32[64]
//: not opencl: no exceptions there
//: expect out = (i % 7 == 3 ? 500 : i) + 4950
int risky(int x) {
    for (int j = 0; j < x % 7; j++)
        if (j == 2 && x % 7 == 3) throw 500;
    return x;
}
kernel void k(global int* out) {
    int i = get_global_id(0), n;
    try {
        n = risky(i);
    } catch (int v) {
        n = v;
    }
    for (int j = 0; j < 100; j++) n += j;
    out[i] = n;
}
