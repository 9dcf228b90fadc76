// What an error leaves whole keeps its warnings.
int helper(int x) { return y; }
int thrower(int x) { if (x) throw 3; return bad; }
kernel void a(global int* o) {
  try { o[0] = thrower(2); } catch (int e) { o[1] = e; }
  int z; o[2] = z;
}
kernel void b(global int* o) { int q; if (o[0] = 1) { o[1] = undeclared; if (o[2] = 3) o[4] = 4; } return; o[5] = 1; }
static int unused_fn(int k) { return k == k; }
struct T { missing_type m; int n; };
kernel void c(global int* o, global struct T* t) { if (o[0] = 1) o[1] = t->n; t->m = 3; }
