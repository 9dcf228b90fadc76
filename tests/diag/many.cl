// Only the first twenty are shown.
kernel void k() {
    a; b; c; d; e; f; g; h; i; j; l; m; n; o; p; q; r; s; t; u; v; w; x; y; z;
}
