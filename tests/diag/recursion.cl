int even(int n);
int odd(int n) { return n == 0 ? 0 : even(n - 1); }
int even(int n) { return n == 0 ? 1 : odd(n - 1); }
int self(int n) { return self(n - 1); }
int declared(int n);
kernel void k(global int* out) { out[0] = even(4) + declared(2); }
