struct pair { int first, second; };
struct later;
typedef struct { const int fixed; int free; } mixed;
kernel void members(global struct pair* p, global struct later* l) {
    struct pair x = {1, 2};
    mixed m = {1, 2};
    x.frist = 1;
    x->first = 1;
    p.first = 1;
    p->third = 1;
    m.fixed = 2;
    l->x = 1;
    l++;
    *l;
    struct later y;
    x = m;
    x++;
    x + 1;
    if (x) { }
    int z = x;
    throw &z;
    try { } catch (int* e) { }
    private float* f = &z;
    local int* shared = &z;
    goto inside;
    z = ({ inside: 1; });
}
