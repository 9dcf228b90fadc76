// Parts of OpenCL C that this version does not have are named as such.
struct flags { int a : 3; };
kernel void images(read_only image2d_t image, sampler_t s) { }
kernel void more(global int* out) {
    int (*function)(int);
    half2 h;
}
