// Shortest paths through a maze: each work-item is an agent with its own start and goal, and searches with A*.
// The open cells are in a heap in private memory. The loops of agents take different numbers of iterations.
#define WIDTH 16
#define CELLS (WIDTH * WIDTH)
#define UNSEEN (-1)
#define CLOSED (-2)

struct search {
    uint heap[CELLS];      // estimate of the way's length times 256, plus the cell
    short place[CELLS];    // in the heap, or UNSEEN, or CLOSED
    ushort cost[CELLS];    // from the start
    uchar from[CELLS];     // the cell before
    int size;
};

void put(struct search* s, int at, uint entry) {
    s->heap[at] = entry;
    s->place[entry % CELLS] = at;
}

void sift_up(struct search* s, int at, uint entry) {
    while (at > 0) {
        uint above = s->heap[(at - 1) / 2];
        if (entry >= above)
            break;
        put(s, at, above);
        at = (at - 1) / 2;
    }
    put(s, at, entry);
}

int pop(struct search* s) {
    int cell = s->heap[0] % CELLS, at = 0;
    uint entry = s->heap[--s->size];
    for (;;) {
        int child = 2 * at + 1;
        if (child >= s->size)
            break;
        if (child + 1 < s->size && s->heap[child + 1] < s->heap[child])
            child++;
        if (entry <= s->heap[child])
            break;
        put(s, at, s->heap[child]);
        at = child;
    }
    if (s->size > 0)
        put(s, at, entry);
    s->place[cell] = CLOSED;
    return cell;
}

int distance(int a, int b) {
    return abs(a % WIDTH - b % WIDTH) + abs(a / WIDTH - b / WIDTH);
}

// Walls are where `maze` is 0. `length` gets the number of steps, or -1; `ways` the path's cells from the goal back.
kernel void pathfinding(global const uchar* maze, global const uchar* starts, global const uchar* goals,
                        global int* length, global uchar* ways, int longest) {
    int id = get_global_id(0), start = starts[id], goal = goals[id];
    struct search s;
    for (int i = 0; i < CELLS; i++)
        s.place[i] = UNSEEN;
    s.size = 1;
    s.cost[start] = 0;
    put(&s, 0, distance(start, goal) * CELLS + start);
    length[id] = -1;
    while (s.size > 0) {
        int cell = pop(&s);
        if (cell == goal) {
            int steps = 0;
            for (; cell != start; cell = s.from[cell], steps++)
                if (steps < longest)
                    ways[id * longest + steps] = cell;
            length[id] = steps;
            return;
        }
        for (int side = 0; side < 4; side++) {
            int x = cell % WIDTH + (side == 0) - (side == 1), y = cell / WIDTH + (side == 2) - (side == 3);
            if (x < 0 || y < 0 || x >= WIDTH || y >= WIDTH)
                continue;
            int next = y * WIDTH + x, cost = s.cost[cell] + 1;
            if (maze[next] == 0 || s.place[next] == CLOSED)
                continue;
            if (s.place[next] != UNSEEN && cost >= s.cost[next])
                continue;
            s.cost[next] = cost;
            s.from[next] = cell;
            uint entry = (cost + distance(next, goal)) * CELLS + next;
            sift_up(&s, s.place[next] == UNSEEN ? s.size++ : s.place[next], entry);
        }
    }
}
