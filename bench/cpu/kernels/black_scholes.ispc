static inline float normal_below(float x) {
    const float k = 1.0f / (1.0f + 0.2316419f * abs(x));
    const float tail =
        exp(-0.5f * x * x) * 0.39894228f * k *
        (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
    return x > 0.0f ? 1.0f - tail : tail;
}

export void black_scholes(uniform const float spot[], uniform const float strike[], uniform const float years[],
                          uniform float rate, uniform float volatility, uniform float call[], uniform float put[],
                          uniform int nx, uniform int ny, uniform int nz) {
    foreach (i = 0 ... nx) {
        const float s = spot[i];
        const float k = strike[i];
        const float t = years[i];
        const float root = volatility * sqrt(t);
        const float d1 = (log(s / k) + (rate + 0.5f * volatility * volatility) * t) / root;
        const float d2 = d1 - root;
        const float discounted = k * exp(-rate * t);
        const float below1 = normal_below(d1);
        const float below2 = normal_below(d2);
        call[i] = s * below1 - discounted * below2;
        put[i] = discounted * (1.0f - below2) - s * (1.0f - below1);
    }
}
