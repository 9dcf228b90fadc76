// One mistake costs one statement.
kernel void k(global int* out) {
    int x = 3
    out[0] = x;
    x = (out[0];
    out[1 = 2;
    for (int i = 0; i < ; i++) { out[i] = 2; }
    if (x > 2 { x = 1; }
    out[2] = x +;
    int 3y = 2;
    float;
    else x = 2;
    return
}
void g( { }
foo(int a) { }
}
kernel void h(int a, ) { }
kernel void last(global int* out) { out[0] = 08; }
