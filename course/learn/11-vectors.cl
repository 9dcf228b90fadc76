// Pixels have the components red, green, blue and alpha. Exchange red and blue of each pixel.
// NOT DONE
kernel void swap_red_blue(global int4* pixels) {
    int i = get_global_id(0);
    int4 p = pixels[i];
    pixels[i] = p.xyzw;
}
