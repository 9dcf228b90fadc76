// The longest matches of each query, from each of its places on, in a text given as a suffix tree. A mismatch
// in the middle of an edge leaves two loops at once; suffix links then save beginning at the root.
struct node {
    int a, c, g, t;       // children, 0: none
    int from, to;         // the letters of the text on the edge to this node
    int link, depth;
};

kernel void suffix_match(global const char* text, global const struct node* nodes, global const char* queries,
                         int length, int least, global int* lengths, global int* places) {
    global const char* query = queries + get_global_id(0) * length;
    lengths += get_global_id(0) * length;
    places += get_global_id(0) * length;
    int node = 0;
    for (int start = 0; start + least <= length; start++) {
        // The node stands for the letters of the query from start on, as many as it is deep.
        int at = start + nodes[node].depth, end = nodes[node].to;
        while (at < length) {
            int child = 0;
            switch (query[at]) {
            case 'A': child = nodes[node].a; break;
            case 'C': child = nodes[node].c; break;
            case 'G': child = nodes[node].g; break;
            case 'T': child = nodes[node].t; break;
            }
            if (child == 0) {
                if (at - start < least)
                    goto next;
                goto record;
            }
            int i = nodes[child].from;
            while (i < nodes[child].to && at < length) {
                if (text[i] != query[at]) {
                    end = i;
                    goto record;
                }
                i++, at++;
            }
            end = i;
            if (i < nodes[child].to)
                break;
            node = child;
        }
    record:
        if (at - start >= least) {
            lengths[start] = at - start;
            places[start] = end - (at - start);
        }
    next:
        node = nodes[node].link;
    }
}
