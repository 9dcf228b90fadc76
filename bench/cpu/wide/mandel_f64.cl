#pragma OPENCL EXTENSION cl_khr_fp64 : enable

kernel void mandel_f64(global ushort* out, double x0, double y0, double step, int limit) {
    const double cx = x0 + step * get_global_id(0), cy = y0 + step * get_global_id(1);
    double x = 0, y = 0;
    int i = 0;
    while (x * x + y * y <= 4.0 && i < limit) {
        double t = x * x - y * y + cx;
        y = 2 * x * y + cy;
        x = t;
        ++i;
    }
    out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = i;
}
