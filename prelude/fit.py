#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Writes polynomials.cl: for each row of FITS the polynomial of least maximal relative error (Remez exchange), its
# coefficients rounded to the type that holds them. Needs mpmath.
#
#   ./fit.py > polynomials.cl
import sys
from mpmath import mp, mpf

mp.prec = 240


def rounded(x, bits):
    """The nearest number with so many bits; exponents are far from their limits here."""
    if x == 0:
        return x
    mantissa, exponent = mp.frexp(x)
    return mp.ldexp(mp.nint(mp.ldexp(mantissa, bits)), exponent - bits)


def hexadecimal(x, bits):
    mantissa, exponent = mp.frexp(abs(x))
    digits = (bits + 2) // 4
    whole = int(mp.nint(mp.ldexp(mantissa, 1 + 4 * digits)))
    text = "%x" % (whole - (1 << (4 * digits)))
    fraction = text.zfill(digits).rstrip("0")
    sign = "-" if x < 0 else ""
    return f"{sign}0x1{'.' + fraction if fraction else ''}p{exponent - 1:+d}{'f' if bits == 24 else ''}"


def remez(f, weight, powers, low, high):
    """Coefficients c with sum c_k x^powers_k near f(x), the weighted error as level as can be."""
    n = len(powers)
    points = [(low + high) / 2 + (high - low) / 2 * mp.cos(mp.pi * (n - k) / n) for k in range(n + 1)]
    for _ in range(12):
        rows = mp.matrix(n + 1, n + 1)
        right = mp.matrix(n + 1, 1)
        for i, x in enumerate(points):
            for j, p in enumerate(powers):
                rows[i, j] = x**p
            rows[i, n] = (-1)**i / weight(x)
            right[i] = f(x)
        solution = mp.lu_solve(rows, right)
        c, level = list(solution[:n]), abs(solution[n])

        def error(x):
            return weight(x) * (f(x) - sum(a * x**p for a, p in zip(c, powers)))

        count = 24 * (n + 1)
        grid = [low + (high - low) * (1 - mp.cos(mp.pi * k / count)) / 2 for k in range(count + 1)]
        values = [error(x) for x in grid]
        peaks = []
        for x, v in zip(grid, values):  # the largest of each stretch of one sign
            if peaks and (v > 0) == (peaks[-1][1] > 0):
                if abs(v) > abs(peaks[-1][1]):
                    peaks[-1] = (x, v)
            else:
                peaks.append((x, v))
        while len(peaks) > n + 1:
            peaks.pop(0 if abs(peaks[0][1]) < abs(peaks[-1][1]) else -1)
        worst = max(abs(v) for v in values)
        if len(peaks) < n + 1 or worst < level * mpf("1.02"):
            break
        points = [x for x, _ in peaks]
    return c, worst


def fit(f, low, high, powers, bits, weight=None):
    """The best polynomial with its coefficients rounded, and the error that it has then."""
    low, high = mpf(low), mpf(high)
    weight = weight or (lambda x: 1 / abs(f(x)))
    # Where next to nothing weighs there may be no peak, and the exchange would not settle.
    heaviest = max(weight(low), weight(high))
    c = [rounded(x, bits) for x in remez(f, lambda x: max(weight(x), heaviest / 40), powers, low, high)[0]]
    worst = max(abs(weight(x) * (f(x) - sum(a * x**p for p, a in zip(powers, c))))
                for x in (low + (high - low) * (mpf(k) + mpf("0.37")) / 500 for k in range(500)))
    return c, worst


def series(value):
    """A function given where 0/0 would stand."""
    return lambda x: value(x if abs(x) > mpf(10)**-10 else mpf(10)**-10)


L2 = mp.log(2)
# NAME_TYPE: (function, low, high, powers, bits of a coefficient, weight or nothing for relative error)
FITS = {
    # b^r = 1 + r p(r)
    "exp_f32": (series(lambda r: (mp.exp(r) - 1) / r), -L2 / 2 * 1.01, L2 / 2 * 1.01, range(5), 24,
                lambda r: abs(r) / mp.exp(r)),
    "exp2_f32": (series(lambda r: (mpf(2)**r - 1) / r), -0.505, 0.505, range(5), 24, lambda r: abs(r) / mpf(2)**r),
    "exp10_f32": (series(lambda r: (mpf(10)**r - 1) / r), -0.152, 0.152, range(5), 24, lambda r: abs(r) / mpf(10)**r),
    # 2^r once more, for pow
    "pow_f32": (series(lambda r: (mpf(2)**r - 1) / r), -0.51, 0.51, range(6), 24, lambda r: abs(r) / mpf(2)**r),
    # e^r = 1 + r + r^2 p(r)
    "expm1_f32": (series(lambda r: (mp.exp(r) - 1 - r) / r**2), -L2 / 2 * 1.01, L2 / 2 * 1.01, range(6), 24,
                  series(lambda r: r**2 / abs(mp.exp(r) - 1))),
    # log(1 + f) = f - f^2/2 + f^3 p(f)
    "log_f32": (series(lambda f: (mp.log(1 + f) - f + f * f / 2) / f**3), mp.sqrt(0.5) - 1, mp.sqrt(2) - 1, range(7), 24,
                series(lambda f: abs(f**3 / mp.log(1 + f)))),
    # log(1 + f) / log(b) = f / log(b) + f^2 p(f)
    "log2_f32": (series(lambda f: (mp.log(1 + f, 2) - f / L2) / f**2), mp.sqrt(0.5) - 1, mp.sqrt(2) - 1, range(8), 24,
                 series(lambda f: abs(f**2 / mp.log(1 + f, 2)))),
    "log10_f32": (series(lambda f: (mp.log(1 + f, 10) - f / mp.log(10)) / f**2), mp.sqrt(0.5) - 1, mp.sqrt(2) - 1,
                  range(8), 24, series(lambda f: abs(f**2 / mp.log(1 + f, 10)))),
    "pow_log_f32": (series(lambda f: (mp.log(1 + f) - f + f * f / 2) / f**3), mp.sqrt(0.5) - 1, mp.sqrt(2) - 1,
                    range(9), 24, series(lambda f: abs(f**3 / mp.log(1 + f)))),
    # sin r = r + r^3 p(r^2), cos r = 1 - r^2/2 + r^4 p(r^2), tan r = r + r^3 p(r^2), of s = r^2
    "sin_f32": (series(lambda s: (mp.sin(mp.sqrt(s)) / mp.sqrt(s) - 1) / s), 0, (mp.pi / 4 * 1.01)**2, range(3), 24,
                lambda s: s),
    "cos_f32": (series(lambda s: (mp.cos(mp.sqrt(s)) - 1 + s / 2) / s**2), 0, (mp.pi / 4 * 1.01)**2, range(3), 24,
                lambda s: s**2 / mp.cos(mp.sqrt(s))),
    "tan_f32": (series(lambda s: (mp.tan(mp.sqrt(s)) / mp.sqrt(s) - 1) / s), 0, (mp.pi / 4 * 1.01)**2, range(6), 24,
                lambda s: s),
    # atan r = r + r^3 p(r^2), asin likewise
    "atan_f32": (series(lambda s: (mp.atan(mp.sqrt(s)) / mp.sqrt(s) - 1) / s), 0, 1, range(8), 24, lambda s: s),
    "asin_f32": (series(lambda s: (mp.asin(mp.sqrt(s)) / mp.sqrt(s) - 1) / s), 0, 0.25, range(5), 24, lambda s: s),
    # sinh r = r + r^3 p(r^2), tanh likewise
    "sinh_f32": (series(lambda s: (mp.sinh(mp.sqrt(s)) / mp.sqrt(s) - 1) / s), 0, 1, range(4), 24, lambda s: s),
    "tanh_f32": (series(lambda s: (mp.tanh(mp.sqrt(s)) / mp.sqrt(s) - 1) / s), 0, 0.4, range(5), 24, lambda s: s),
}

def definition(name, row):
    """The polynomial as a function of the kernel language, by Horner's scheme."""
    function, low, high, powers, bits = row[:5]
    coefficients, worst = fit(function, low, high, list(powers), bits, row[5] if len(row) > 5 else None)
    base, _, end = name.rpartition("_")
    real = "float" if bits == 24 else "double"
    lines = [f"// Error 2^{float(mp.log(worst, 2)):.1f} of the function, for {float(low):.4g} to {float(high):.4g}.",
             f"{real} {base}_poly_{end}({real} x) {{", f"    {real} p = {hexadecimal(coefficients[-1], bits)};"]
    lines += [f"    p = fma(p, x, {hexadecimal(c, bits)});" for c in reversed(coefficients[:-1])]
    return "\n".join(lines + ["    return p;", "}"])


if __name__ == "__main__":
    print("// SPDX-License-Identifier: Apache-2.0")
    print("// Written by fit.py, which says what each of these is for.")
    for name in sys.argv[1:] or FITS:
        print(definition(name, FITS[name]))
