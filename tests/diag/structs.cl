struct empty { };
struct node { int value; struct node inner; };
struct pair { int a, b; float a; };
struct pair { int c; };
union pair both;
struct bits { int flag : 3; };
enum color { RED, GREEN = RED + x, BLUE = 1l << 40, PINK = -1ul, NONE };
int[2] returns_array(void);
kernel void refused(private int* p, global int** q, struct node n) { }
