#!/usr/bin/env python3
"""An operation of a sub-group that both arms have is done once, for the lanes of both."""
import kir
import solution

matches = solution.matches


def alike(a, b):
    return matches(a, b) or (a.op == b.op and kir.EFFECTS.get(a.op) == "cross_lane" and a.attrs == b.attrs)


solution.matches = alike
kir.run(solution.meld)
