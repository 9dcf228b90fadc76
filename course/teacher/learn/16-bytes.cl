kernel void brighter(global uchar* image) {
    int i = get_global_id(0);
    image[i] = add_sat(image[i], (uchar)100);
}
