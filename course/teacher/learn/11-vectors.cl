kernel void swap_red_blue(global int4* pixels) {
    int i = get_global_id(0);
    int4 p = pixels[i];
    pixels[i] = p.zyxw;
}
