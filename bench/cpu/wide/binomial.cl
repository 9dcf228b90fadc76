// Price of a call by a binomial tree, from its leaves back to its root.
#define STEPS 64

__kernel void binomial(__global const float* spot, __global const float* strike, __global const float* years,
                       float riskfree, float volatility, __global float* price) {
    const size_t id = get_global_id(0);
    float V[STEPS + 1];
    const float s = spot[id], x = strike[id], t = years[id];
    const float dt = t / STEPS;
    const float vdt = volatility * sqrt(dt);
    const float rdt = riskfree * dt;
    const float rf = exp(rdt), inv = exp(-rdt);
    const float u = exp(vdt), d = exp(-vdt);
    const float pu = (rf - d) / (u - d);
    const float pd = 1.0f - pu;
    for (int i = 0; i <= STEPS; i++) {
        const float leaf = s * exp(vdt * (2.0f * i - STEPS)) - x;
        V[i] = leaf > 0 ? leaf : 0.0f;
    }
    for (int j = STEPS; j > 0; j--)
        for (int i = 0; i < j; i++) V[i] = inv * (pu * V[i + 1] + pd * V[i]);
    price[id] = V[0];
}
