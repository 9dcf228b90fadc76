struct ball {
    int place, speed;
};

kernel void move(global struct ball* balls, int n) {
    int i = get_global_id(0);
    struct ball b = balls[i];
    b.place += b.speed;
    if (b.place < 0) {
        b.place = -b.place;
        b.speed = -b.speed;
    }
    balls[i] = b;
}
