// Price of a European call and put for each option: exp, log, sqrt and division, no control flow.
float normal_below(float x) {
    // Abramowitz and Stegun 26.2.17, for x >= 0; the other side by symmetry.
    float k = 1.0f / (1.0f + 0.2316419f * fabs(x));
    float tail = exp(-0.5f * x * x) * 0.39894228f * k *
                 (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
    return x > 0.0f ? 1.0f - tail : tail;
}

kernel void black_scholes(global const float* spot, global const float* strike, global const float* years, float rate,
                          float volatility, global float* call, global float* put) {
    size_t i = get_global_id(0);
    float s = spot[i], k = strike[i], t = years[i];
    float root = volatility * sqrt(t);
    float d1 = (log(s / k) + (rate + 0.5f * volatility * volatility) * t) / root;
    float d2 = d1 - root;
    float discounted = k * exp(-rate * t);
    float below1 = normal_below(d1), below2 = normal_below(d2);
    call[i] = s * below1 - discounted * below2;
    put[i] = discounted * (1.0f - below2) - s * (1.0f - below1);
}
