__kernel void floyd_pass(__global uint* dist, __global uint* path, const unsigned int width, const unsigned int pass) {
    int xValue = get_global_id(0);
    int yValue = get_global_id(1);
    int k = pass;
    int oldWeight = dist[yValue * width + xValue];
    int tempWeight = dist[yValue * width + k] + dist[k * width + xValue];
    if (tempWeight < oldWeight) {
        dist[yValue * width + xValue] = tempWeight;
        path[yValue * width + xValue] = k;
    }
}
