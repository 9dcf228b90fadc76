// A structure has the layout of C. Move each ball by its speed; a ball that is below 0 then is reflected: both its
// place and its speed change their sign.
// NOT DONE
struct ball {
    int place, speed;
};

kernel void move(global struct ball* balls, int n) {
    int i = get_global_id(0);
    struct ball b = balls[i];
    b.place += b.speed;
    balls[i].place = b.place;
}
