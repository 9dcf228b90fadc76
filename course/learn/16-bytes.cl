// An image has a byte for each pixel. Make each pixel brighter by 100. What exceeds 255 must become 255.
// NOT DONE
kernel void brighter(global uchar* image) {
    int i = get_global_id(0);
    image[i] = image[i] + 100;
}
