// One level of a breadth-first search. All writers of a cost write the same number.
__kernel void bfs_step(__global const int* starts, __global const int* edges, __global const uchar* mask,
                       __global const uchar* visited, __global uchar* updating, __global int* cost,
                       const int no_of_nodes) {
    int tid = get_global_id(0);
    if (tid < no_of_nodes && mask[tid]) {
        for (int i = starts[tid]; i < starts[tid + 1]; i++) {
            int id = edges[i];
            if (!visited[id]) {
                cost[id] = 8;
                updating[id] = 1;
            }
        }
    }
}
