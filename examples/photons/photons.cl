// Photons through a wall: how much of a beam comes through, how much comes back, and how much stays in it. Each
// work-item follows some photons, whose lives have random lengths and end in four different places.
float random(uint* state) {
    uint x = *state;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    *state = x;
    return (x >> 8) * 0x1p-24f + 0x1p-25f;
}

// `tally`: came through, came back, absorbed, too weak; then 16 classes of energy of those that came through.
// Energies are in MeV; `path` is the mean length of a free flight.
kernel void photons(global int* tally, int histories, float thickness, float path, float weakest) {
    uint state = 2654435769u * (uint)(get_global_id(0) + 1);
    for (int history = 0; history < histories; history++) {
        float depth = 0.0f, direction = 1.0f, energy = 1.25f;
        bool absorbed = false;
        for (;;) {
            depth -= direction * path * energy * log(random(&state));
            if (depth < 0.0f || depth > thickness)
                break;
            float chance = random(&state), photoelectric = 0.05f / (energy * energy * energy + 0.1f);
            if (chance < 0.1f)
                continue;                                  // passed the atom by
            if (chance < 0.75f) {                          // Compton: a new direction, less energy
                float turn = 2.0f * random(&state) - 1.0f;
                energy /= 1.0f + energy / 0.511f * (1.0f - turn);
                direction = clamp(direction * turn + sqrt((1.0f - direction * direction) * (1.0f - turn * turn)) *
                                                         cos(6.2831853f * random(&state)), -1.0f, 1.0f);
                if (energy < weakest) {
                    atomic_add(&tally[3], 1);
                    absorbed = true;
                    break;
                }
            } else if (chance < 1.0f - 0.2f * photoelectric) {   // Rayleigh: a new direction only
                direction = 2.0f * random(&state) - 1.0f;
            } else {
                atomic_add(&tally[2], 1);
                absorbed = true;
                break;
            }
        }
        if (!absorbed) {
            atomic_add(&tally[depth < 0.0f ? 1 : 0], 1);
            if (depth > 0.0f)
                atomic_add(&tally[4 + min((int)(energy / 1.25f * 16.0f), 15)], 1);
        }
    }
}
