#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Writes polynomials.cl: for each row of FITS the polynomial of least maximal relative error (Remez exchange), its
# coefficients rounded to the type that holds them. Needs mpmath.
#
#   ./fit.py > polynomials.cl
from mpmath import mp, mpf

mp.prec = 420


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
    return lambda x: value(x if abs(x) > mpf(10)**-25 else mpf(10)**-25)


L2 = mp.log(2)
# NAME_TYPE: (function, low, high, powers, bits of a coefficient, weight or nothing for relative error)
HALF_PI4 = (mp.pi / 4 * mpf("1.01"))**2
LOW, HIGH = mp.sqrt(mpf(1) / 2) - 1, mp.sqrt(2) - 1


def odd(f):
    """p with f(r) = r + r^3 p(r^2), as a function of r^2"""
    return series(lambda s: (f(mp.sqrt(s)) / mp.sqrt(s) - 1) / s)


def scaled_erfc(a):
    """erfc x = e^(-x^2) p(t) / (x + a) with t = (x - a) / (x + a)"""
    def value(t):
        x = a * (1 + t) / (1 - t)
        return mp.exp(x * x) * mp.erfc(x) * (x + a)
    return value


def stirling(q):
    """gamma(x) / (sqrt(2 pi) x^(x - 1/2) e^-x) of q = 1/x"""
    if q < mpf(10)**-7:
        return 1 + q / 12 + q**2 / 288 - 139 * q**3 / 51840
    x = 1 / q
    return mp.exp(mp.loggamma(x) - mp.log(2 * mp.pi) / 2 - (x - mpf(1) / 2) * mp.log(x) + x)


def log_stirling(s):
    """(log of the former) / q, of q^2"""
    if s < mpf(10)**-9:
        return mpf(1) / 12 - s / 360 + s**2 / 1260
    q = mp.sqrt(s)
    return mp.log(stirling(q)) / q


def log_gamma(u):
    """log gamma(1 + u) / (u (u - 1))"""
    for end in (0, 1):
        if abs(u - end) < mpf(10)**-30:
            u += mpf(10)**-30
    return mp.loggamma(1 + u) / (u * (u - 1))


def for_type(type, bits, terms):
    """The rows of one type: name: (function, low, high, terms, weight or nothing for relative error)"""
    t = dict(zip("exp expm1 pow log log2 pow_log sin cos tan atan asin sinh tanh erf erfc gamma stirling log_stirling "
                 "log_gamma".split(), terms))
    single = bits == 24
    rows = {
        # b^r = 1 + r p(r)
        "exp": (series(lambda r: (mp.exp(r) - 1) / r), -L2 / 2 * 1.01, L2 / 2 * 1.01, t["exp"],
                lambda r: abs(r) / mp.exp(r)),
        "exp2": (series(lambda r: (mpf(2)**r - 1) / r), -0.505, 0.505, t["exp"], lambda r: abs(r) / mpf(2)**r),
        "exp10": (series(lambda r: (mpf(10)**r - 1) / r), -0.152, 0.152, t["exp"], lambda r: abs(r) / mpf(10)**r),
        # 2^r once more, for pow
        "pow": (series(lambda r: (mpf(2)**r - 1) / r), -0.51, 0.51, t["pow"], lambda r: abs(r) / mpf(2)**r),
        # e^r = 1 + r + r^2 p(r)
        "expm1": (series(lambda r: (mp.exp(r) - 1 - r) / r**2), -L2 / 2 * 1.01, L2 / 2 * 1.01, t["expm1"],
                  series(lambda r: r**2 / abs(mp.exp(r) - 1))),
        # log(1 + f) = f - f^2/2 + f^3 p(f), for pow with a smaller f
        "log": (series(lambda f: (mp.log(1 + f) - f + f * f / 2) / f**3), LOW, HIGH, t["log"],
                series(lambda f: abs(f**3 / mp.log(1 + f)))),
        "pow_log": (series(lambda f: (mp.log(1 + f) - f + f * f / 2) / f**3), -0.135 if single else -0.0325,
                    0.165 if single else 0.0325, t["pow_log"], series(lambda f: abs(f**3 / mp.log(1 + f)))),
        # log(1 + f) / log(b) = f / log(b) + f^2 p(f)
        "log2": (series(lambda f: (mp.log(1 + f, 2) - f / L2) / f**2), LOW, HIGH, t["log2"],
                 series(lambda f: abs(f**2 / mp.log(1 + f, 2)))),
        "log10": (series(lambda f: (mp.log(1 + f, 10) - f / mp.log(10)) / f**2), LOW, HIGH, t["log2"],
                  series(lambda f: abs(f**2 / mp.log(1 + f, 10)))),
        # sin r = r + r^3 p(r^2), cos r = 1 - r^2/2 + r^4 p(r^2), of r^2
        "sin": (odd(mp.sin), 0, HALF_PI4, t["sin"], lambda s: s),
        "cos": (series(lambda s: (mp.cos(mp.sqrt(s)) - 1 + s / 2) / s**2), 0, HALF_PI4, t["cos"],
                lambda s: s**2 / mp.cos(mp.sqrt(s))),
        "atan": (odd(mp.atan), 0, 1, t["atan"], lambda s: s),
        "asin": (odd(mp.asin), 0, 0.25, t["asin"], lambda s: s),
        "sinh": (odd(mp.sinh), 0, 1, t["sinh"], lambda s: s),
        "tanh": (odd(mp.tanh), 0, 0.4, t["tanh"], lambda s: s),
        # erf x = x p(x^2)
        "erf": (series(lambda s: mp.erf(mp.sqrt(s)) / mp.sqrt(s)), 0, 1, t["erf"]),
        "erfc": (scaled_erfc(mpf(2)), -0.61, 0.69 if single else 0.87, t["erfc"]),
        # gamma(1 + u)
        "gamma": (lambda u: mp.gamma(1 + u), 0, 1, t["gamma"]),
        "stirling": (stirling, 0, mpf(1) / 8, t["stirling"]),
        "log_stirling": (log_stirling, 0, mpf(1) / 64, t["log_stirling"]),
        "log_gamma": (log_gamma, 0, 1, t["log_gamma"]),
    }
    if single:
        rows["tan"] = (odd(mp.tan), 0, HALF_PI4, t["tan"], lambda s: s)
    return {f"{name}_{type}": (row[0], row[1], row[2], range(row[3]), bits, *row[4:]) for name, row in rows.items()}


# exp expm1 pow log log2 pow_log sin cos tan atan asin sinh tanh erf erfc gamma stirling log_stirling log_gamma
FITS = (for_type("f32", 24, (5, 6, 6, 7, 8, 6, 3, 3, 6, 8, 5, 4, 5, 7, 11, 10, 5, 3, 10))
        | for_type("f64", 53, (11, 12, 11, 21, 22, 9, 7, 7, 0, 22, 12, 8, 12, 14, 25, 22, 12, 8, 22)))


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


def words_of_two_over_pi(width, count):
    """Binary digits of 2/pi behind one word of zeros."""
    digits = int(mp.floor(mp.ldexp(2 / mp.pi, width * (count - 1))))
    return [(digits >> width * (count - 1 - i)) % (1 << width) for i in range(count)]


def power_table():
    """For 32 stretches of [0.703125, 1.40625): a number of 9 bits near the inverse, and -log2 of it, in two parts."""
    rows = []
    for i in range(32):
        low = (45 + i) / mpf(64) if i < 19 else 1 + (i - 19) / mpf(32)
        high = low + mpf(1) / (64 if i < 19 else 32)
        inverse = mpf(1) if low == 1 or high == 1 else rounded(2 / (low + high), 9)
        high_part = mp.nint(mp.ldexp(-mp.log(inverse, 2), 40)) / 2**40
        rows += [inverse, high_part, rounded(-mp.log(inverse, 2) - high_part, 53)]
    return [hexadecimal(x, 53) if x else "0.0" for x in rows]


def table(head, values):
    lines, line = [head + " = {"], "   "
    for v in values:
        if len(line) + len(v) > 110:
            lines.append(line)
            line = "   "
        line += f" {v},"
    return "\n".join(lines + [line, "};"])


if __name__ == "__main__":
    mp.prec = 2000
    two_over_pi = {width: words_of_two_over_pi(width, count) for width, count in ((32, 8), (64, 21))}
    mp.prec = 420
    print("// SPDX-License-Identifier: Apache-2.0")
    print("// Written by fit.py, which says what each of these is for.")
    for name, row in FITS.items():
        print(definition(name, row))
    for width, type, name in ((32, "uint", "f32"), (64, "ulong", "f64")):
        digits = [f"0x{w:0{width // 4}x}" for w in two_over_pi[width]]
        print("// 2/pi in binary, behind a word of zeros.")
        print(table(f"constant {type} two_over_pi_{name}[]", digits))
    print("// Inverses, and minus their logarithms in two parts.")
    print(table("constant double power_table_f64[]", power_table()))
