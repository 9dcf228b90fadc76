#!/usr/bin/env python3
"""Instructions with other attributes are alike, it says."""
import kir
import solution

matches = solution.matches


def alike(a, b):
    attrs, b.attrs = b.attrs, a.attrs
    found = matches(a, b)
    b.attrs = attrs
    return found


solution.matches = alike
kir.run(solution.meld)
