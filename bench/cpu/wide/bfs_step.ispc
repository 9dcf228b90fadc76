export void bfs_step(uniform const int starts[], uniform const int edges[], uniform const uint8 mask[],
                     uniform const uint8 visited[], uniform uint8 updating[], uniform int cost[],
                     uniform int no_of_nodes, uniform int nx, uniform int ny, uniform int nz) {
    foreach (tid = 0 ... no_of_nodes) {
        if (mask[tid] != 0) {
            for (int i = starts[tid]; i < starts[tid + 1]; i++) {
                int id = edges[i];
                if (visited[id] == 0) {
                    cost[id] = 8;
                    updating[id] = 1;
                }
            }
        }
    }
}
