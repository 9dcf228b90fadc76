// Types and memory in one kernel: structs, unions, enumerations, arrays and pointers in every place.
typedef struct node { int value; struct node* next; float w[3]; } node;
struct pair { int a, b; };
union bits { int i; float f; uchar b[4]; };
enum color { RED, GREEN = 5, BLUE };
typedef enum { X1 = BLUE + 1, X2 } ex;
struct pair swap(struct pair p) { struct pair r = { p.b, p.a }; return r; }
int sum(const int* p, int n) { int s = 0; for (int i = 0; i < n; i++) s += p[i]; return s; }
void set(int (*m)[3], int i, int j, int v) { m[i][j] = v; }
struct outer { struct pair p[2]; struct { char c; double d; } in; union bits u; };
kernel void k(global int* p, global struct outer* o, local int* l) {
  int a[4][5] = { {1, 2}, [2] = {3, [4] = 9}, 7 };
  struct pair x = {1, 2}, y;
  y = swap(swap(x));
  p[0] = y.a; p[1] = y.b + GREEN + X2;
  int m[2][3] = {1,2,3,4,5};
  set(m, 1, 2, 77);
  p[2] = sum(m[1], 3) + sum(&a[0][0], 20);
  union bits u; u.f = 1.0f; p[3] = u.i; p[4] = u.b[3];
  node n1 = { .value = 4, .w = {1, 2, 3} }, n2 = { 5, &n1 };
  p[5] = n2.next->value + (int)n2.next->w[2];
  o[1] = o[0]; o->in.d = 2; o[1].p[1] = (struct pair){ .b = 4 };
  int z; int* pz = &z; int** ppz = &pz; **ppz = 8; p[6] = z + sizeof(struct outer) + sizeof a / sizeof a[0];
  p[7] = ({ int q = z; q * 2; });
  p[8] = (p[0] ? x : y).b;
  switch (p[8]) { case 1 ... 5: p[9] = 1; break; case 7: p[9] = 2; }
  try { throw x; } catch (struct pair e) { p[10] = e.a; }
  local int t[16]; t[0] = 1; l[0] = t[0];
}
struct forward;
struct deep { struct forward* f; struct { union { int i; uchar b[4]; }; int tail[2][3]; } in; };
struct forward { struct deep d[2]; enum { ONE = 1, TWO } kind; };
int walk(struct forward* f, int n) {
  if (n == 0) throw f->d[0];
  for (int i = 0; i < TWO; i++) {
    switch (f->d[i].in.b[n & 3]) { case ONE: case 5 ... 9: f = f->d[i].f ? f->d[i].f : f; break; default: f->kind = TWO; }
  }
  return f->d[ONE].in.tail[1][2];
}
kernel void walking(global struct forward* g, global int* out, local struct pair* shared) {
  struct forward f = *g, *p = &f;
  f.d[0] = (struct deep){ .f = p, .in.tail = { [1] = { 4, 5, 6 } } };
  global struct deep* list[] = { g->d, &g->d[1], 0 };
  try { out[0] = walk(p, ({ int t = out[1]; t > 3 ? 3 : t; })); } catch (struct deep d) { out[1] = d.in.tail[1][2]; }
  *shared = (struct pair){ 1, f.d[0].in.tail[0][0] };
  list[0]->in.i = shared->b;
}
