"""Fits the polynomials of elementary-inl.h and prints src/numerics/elementary_coefficients.h.

Polynomials are Chebyshev fits; the tail of the normal distribution is a rational minimax fit
(Remez). Everything is computed with 80 digits, so the coefficients are reproducible. Needs mpmath;
run it only to change a fit:
python src/numerics/fit_coefficients.py | clang-format-14 > src/numerics/elementary_coefficients.h
"""

from collections.abc import Callable

from mpmath import (
    atan,
    chebyfit,
    cos,
    erf,
    erfc,
    exp,
    floor,
    log,
    lu_solve,
    matrix,
    mp,
    mpf,
    nint,
    pi,
    sin,
    sqrt,
)

Function = Callable[[mpf], mpf]

mp.dps = 80
ROOTS = 32  # as many as two vectors of AVX-512 hold
QUICK_EXP_MARGIN = mpf(2) ** -35
TINY = mpf("1e-25")  # below it the quotients are replaced by the start of their series


def exp_rest(r: mpf) -> mpf:
    return mpf(1) / 2 + r / 6 if abs(r) < TINY else (exp(r) - 1 - r) / r**2


def log_rest(w: mpf) -> mpf:
    s = sqrt(w)
    return mpf(2) / 3 + 2 * w / 5 if w < TINY else (log((1 + s) / (1 - s)) - 2 * s) / s**3


def sin_rest(w: mpf) -> mpf:
    return -mpf(1) / 6 + w / 120 if w < TINY else (sin(sqrt(w)) - sqrt(w)) / sqrt(w) ** 3


def arctan_rest(w: mpf) -> mpf:
    return -mpf(1) / 3 + w / 5 if w < TINY else (atan(sqrt(w)) - sqrt(w)) / sqrt(w) ** 3


def erf_rest(w: mpf) -> mpf:
    first = 2 / sqrt(pi)
    if w < TINY:
        return first * (-mpf(1) / 3 + w / 10)
    return (erf(sqrt(w)) - first * sqrt(w)) / sqrt(w) ** 3


def normal_tail(x: mpf) -> mpf:
    return exp(x * x / 2) * erfc(x / sqrt(mpf(2))) / 2


def polynomial(function: Function, low: mpf, high: mpf, degree: int) -> list[mpf]:
    return list(reversed(chebyfit(function, [low, high], degree + 1)))


def value(coefficients: list[mpf], x: mpf) -> mpf:
    result = mpf(0)
    for c in reversed(coefficients):
        result = result * x + c
    return result


def rational(
    function: Function, high: mpf, above: int, below: int, steps: int = 6
) -> tuple[list[mpf], list[mpf]]:
    """Remez exchange for the relative error of a rational function on [0, high].

    Returns both polynomials, low order first; the denominator starts with 1.
    """
    count = above + below + 2
    middle = mpf(2)  # nodes gather near 0, where the function bends
    start, end = mpf(-1), (high - middle) / (high + middle)

    def at(t: mpf) -> mpf:
        return middle * (1 + t) / (1 - t)

    def on(fraction: mpf) -> mpf:
        return at(start + (end - start) * fraction)

    nodes = [on((1 - cos(pi * i / (count - 1))) / 2) for i in range(count)]
    top, bottom = [], [mpf(1)]
    for _ in range(steps):
        # The system is linear when the denominator in the error term is the previous one.
        for _ in range(8):
            system, right = matrix(count, count), matrix(count, 1)
            for i, x in enumerate(nodes):
                y = function(x)
                for j in range(above + 1):
                    system[i, j] = x**j
                for j in range(1, below + 1):
                    system[i, above + j] = -y * x**j
                system[i, count - 1] = -((-1) ** i) * y * value(bottom, x)
                right[i] = y
            solution = list(lu_solve(system, right))
            top, bottom = solution[: above + 1], [mpf(1), *solution[above + 1 : count - 1]]
        grid = [on(mpf(i) / 1500) for i in range(1501)]
        errors = [value(top, x) / value(bottom, x) / function(x) - 1 for x in grid]
        peaks = []  # the largest error of every run of equal sign
        for x, e in zip(grid, errors, strict=True):
            if peaks and (e > 0) == (peaks[-1][1] > 0):
                peaks[-1] = max(peaks[-1], (x, e), key=lambda p: abs(p[1]))
            else:
                peaks.append((x, e))
        if len(peaks) < count:
            break
        while len(peaks) > count:
            peaks.pop(0 if abs(peaks[0][1]) < abs(peaks[-1][1]) else -1)
        nodes = [x for x, _ in peaks]
    return top, bottom


def show(name: str, coefficients: list[mpf], comment: str) -> None:
    print(f"// {comment}")
    print(f"inline constexpr double {name}[] = {{")
    for c in coefficients:
        print(f"    {float(c).hex()},")
    print("};\n")


def float32(x: mpf) -> mpf:
    """To nearest, for numbers far from the ends of the range."""
    scale = mpf(2) ** (23 - floor(log(abs(x), 2)))
    return nint(x * scale) / scale


def show_float32(name: str, numbers: list[mpf], comment: str) -> None:
    print(f"// {comment}")
    print(f"alignas(64) inline constexpr float {name}[] = {{")
    for x in numbers:
        print(f"    {float(float32(x)).hex().replace('0000000p', 'p')}f,")
    print("};\n")


def show_quick_exp() -> None:
    step = log(mpf(2)) / ROOTS
    roots = [mpf(2) ** (mpf(i) / ROOTS) for i in range(ROOTS)]
    rests = [(root - float32(root) + QUICK_EXP_MARGIN) / float32(root) for root in roots]
    show_float32("exp_roots", roots, f"2^(i/{ROOTS})")
    show_float32(
        "exp_root_rests",
        rests,
        "What rounding took from a root and 2^-35, both as parts of it",
    )
    show_float32(
        "quick_exp_terms",
        polynomial(exp_rest, -step / 2 * mpf("1.001"), step / 2 * mpf("1.001"), 2),
        f"(exp(r) - 1 - r) / r^2 for |r| <= log(2)/{2 * ROOTS}",
    )
    show_float32(
        "brief_exp_terms",
        polynomial(exp, mpf(0), step, 2),
        f"exp(r) for 0 <= r <= log(2)/{ROOTS}",
    )


def main() -> None:
    half_log2 = log(mpf(2)) / 2 * mpf("1.0001")
    quarter = sqrt(mpf(2)) - 1
    print("// Coefficients of elementary-inl.h and quick_exp-inl.h, low order first. Written by")
    print("// fit_coefficients.py.")
    print("#pragma once\n\nnamespace trainyard::numerics {\n")
    show(
        "exp_terms",
        polynomial(exp_rest, -half_log2, half_log2, 9),
        "(exp(r) - 1 - r) / r^2 for |r| <= log(2)/2",
    )
    show(
        "log_terms",
        polynomial(log_rest, mpf(0), (quarter / (2 + quarter)) ** 2, 6),
        "(log((1+s)/(1-s)) - 2s) / s^3 in s^2 for |s| <= (sqrt(2)-1)/(sqrt(2)+1)",
    )
    show(
        "sin_terms",
        polynomial(sin_rest, mpf(0), (pi / 2) ** 2, 7),
        "(sin(x) - x) / x^3 in x^2 for |x| <= pi/2",
    )
    show(
        "arctan_terms",
        polynomial(arctan_rest, mpf(0), quarter**2, 9),
        "(arctan(x) - x) / x^3 in x^2 for |x| <= sqrt(2)-1",
    )
    show(
        "erf_terms",
        polynomial(erf_rest, mpf(0), mpf(1) / 16, 5),
        "(erf(x) - 2/sqrt(pi) x) / x^3 in x^2 for |x| <= 1/4",
    )
    top, bottom = rational(normal_tail, mpf(15), 8, 9)
    show(
        "tail_numerator",
        top,
        "exp(x^2/2) * Phi(-x) = numerator / denominator for 0 <= x <= 15",
    )
    show("tail_denominator", bottom, "Phi is the normal distribution function.")
    show_quick_exp()
    print("}  // namespace trainyard::numerics")


if __name__ == "__main__":
    main()
