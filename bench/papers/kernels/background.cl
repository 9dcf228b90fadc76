// Which pixels of a film do not belong to the background: a mixture of four normal distributions for each pixel,
// kept in the order of their weights. The loop over them goes on after a match, but does something else then.
#define MODES 4

struct mode {
    float weight, mean, variance;
};

void swap_with_former(struct mode* mode, int at) {
    struct mode m = mode[at];
    mode[at] = mode[at - 1];
    mode[at - 1] = m;
}

kernel void background(global const float* film, int frames, global uchar* mask, float rate, float prune) {
    int id = get_global_id(0), pixels = get_global_size(0);
    struct mode mode[MODES];
    int modes = 0;
    for (int frame = 0; frame < frames; frame++) {
        float pixel = film[frame * pixels + id], total = 0.0f, seen = 0.0f;
        bool fits = false, is_background = false;
        for (int m = 0; m < modes; m++) {
            mode[m].weight = (1.0f - rate) * mode[m].weight - rate * prune;
            int at = m;
            if (!fits) {
                float d = pixel - mode[m].mean;
                if (d * d < 16.0f * mode[m].variance && mode[m].weight > 0.0f) {
                    fits = true;
                    is_background = seen < 0.7f;
                    mode[m].weight += rate;
                    float k = rate / mode[m].weight;
                    mode[m].mean += k * d;
                    mode[m].variance = clamp(mode[m].variance + k * (d * d - mode[m].variance), 4.0f, 75.0f);
                    for (; at > 0; at--) {
                        if (mode[at].weight < mode[at - 1].weight)
                            break;
                        swap_with_former(mode, at);
                    }
                } else if (mode[m].weight < -prune) {
                    mode[m].weight = 0.0f;
                    modes--;
                }
            }
            seen += mode[at].weight;
            total += mode[at].weight;
        }
        if (!fits) {
            int at = modes < MODES ? modes++ : MODES - 1;
            mode[at].weight = modes == 1 ? 1.0f : rate;
            mode[at].mean = pixel;
            mode[at].variance = 15.0f;
            total += mode[at].weight;
            for (; at > 0 && mode[at].weight >= mode[at - 1].weight; at--)
                swap_with_former(mode, at);
        }
        for (int m = 0; m < modes; m++)
            mode[m].weight /= total;
        switch ((fits ? 1 : 0) + (is_background ? 1 : 0)) {
        case 0: mask[frame * pixels + id] = 255; break;
        case 1: mask[frame * pixels + id] = 127; break;
        default: mask[frame * pixels + id] = 0;
        }
    }
}
