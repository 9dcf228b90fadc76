#define STEPS 64
export void binomial(uniform const float spot[], uniform const float strike[], uniform const float years[],
                     uniform float riskfree, uniform float volatility, uniform float price[], uniform int nx,
                     uniform int ny, uniform int nz) {
    foreach (id = 0 ... nx) {
        float V[STEPS + 1];
        const float s = spot[id];
        const float x = strike[id];
        const float t = years[id];
        const float dt = t / STEPS;
        const float vdt = volatility * sqrt(dt);
        const float rdt = riskfree * dt;
        const float rf = exp(rdt);
        const float inv = exp(-rdt);
        const float u = exp(vdt);
        const float d = exp(-vdt);
        const float pu = (rf - d) / (u - d);
        const float pd = 1.0f - pu;
        for (uniform int i = 0; i <= STEPS; i++) V[i] = max(s * exp(vdt * (2.0f * i - STEPS)) - x, 0.0f);
        for (uniform int j = STEPS; j > 0; j--)
            for (uniform int i = 0; i < j; i++) V[i] = inv * (pu * V[i + 1] + pd * V[i]);
        price[id] = V[0];
    }
}
