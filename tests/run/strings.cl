// String literals are arrays in constant memory, and initialize arrays of characters.
//---- pointer_to_a_literal
//: global 8
//: arg out=i8[8]
//: expect out = i == 0 ? 97 : i < 6 ? 97 + i : i == 6 ? 0 : 1
kernel void k(global char* out) {
    int i = get_global_id(0);
    constant char* s = "abcdef";
    out[i] = i < 7 ? s[i] : (sizeof("abcdef") == 7);
}
//---- pieces_are_joined
//: global 6
//: arg out=i8[6]
//: expect out = {104, 105, 33, 1, 49, 0}
kernel void k(global char* out) {
    int i = get_global_id(0);
    out[i] = ("hi" "!" "\x1" "1")[i];
}
//---- escapes
//: global 14
//: arg out=i32[14]
//: expect out = {7, 8, 12, 10, 13, 9, 11, 92, 39, 34, 63, 65, -1, 0}
kernel void k(global int* out) {
    int i = get_global_id(0);
    out[i] = "\a\b\f\n\r\t\v\\\'\"\?\101\xff"[i];
}
//---- private_arrays
//: global 4
//: arg out=i32[32]
//: expect out = i % 8 == 0 ? 120 : i % 8 == 1 ? 121 : i % 8 == 2 ? 122 : i % 8 == 5 ? 97 : i % 8 == 6 ? 3 : i % 8 == 7 ? 5 : 0
kernel void k(global int* out) {
    int at = get_global_id(0) * 8;
    char whole[5] = "xyz", exact[1] = {"a"}, open[] = "ab", bytes[] = {"abcd"};
    for (int j = 0; j < 5; j++) out[at + j] = whole[j];
    out[at + 5] = exact[0];
    out[at + 6] = sizeof open;
    out[at + 7] = sizeof bytes;
}
//---- tables_of_texts
//: global 3
//: arg out=i32[12]
//: expect out = {111, 110, 101, 0, 116, 119, 111, 0, 116, 104, 114, 101}
constant char names[][5] = {"one", "two", "thre"};
kernel void k(global int* out) {
    int i = get_global_id(0);
    for (int j = 0; j < 4; j++) out[4 * i + j] = names[i][j];
}
//---- in_structures
//: global 2
//: arg out=i32[2]
//: expect out = {3 + 107 + 0, 4 + 118 + 119}
struct entry { int id; char key[3]; uchar value[2]; };
constant struct entry table[] = {{3, "k", "v"}, {4, "uvw", {119, 0}}};
kernel void k(global int* out) {
    int i = get_global_id(0);
    out[i] = table[i].id + table[i].key[i] + (i ? table[i].value[0] : table[i].key[2]);
}
//---- equal_literals_are_one_array
//: global 1
//: arg out=i32[2]
//: not host: C leaves open whether they are
//: expect out = {1, 0}
kernel void k(global int* out) {
    constant char *a = "same", *b = "sa" "me", *c = "other";
    out[0] = a == b;
    out[1] = a == c;
}
//---- length_by_a_loop
//: global 4
//: arg out=i32[4]
//: expect out = {0, 1, 5, 12}
int length_of(constant char* s) {
    int n = 0;
    while (s[n]) n++;
    return n;
}
kernel void k(global int* out) {
    int i = get_global_id(0);
    out[i] = length_of(i == 0 ? "" : i == 1 ? "x" : i == 2 ? "hello" : "hello\0world" + 0);
    if (i == 3) out[i] = length_of("hello, world");
}
