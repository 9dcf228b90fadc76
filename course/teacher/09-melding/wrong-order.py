#!/usr/bin/env python3
"""Pairs are sought without regard to the order of loads and stores."""
import kir
import solution


def align(yes, no):
    steps, left = [], list(no.body)
    for a in yes.body:
        b = next((b for b in left if solution.matches(a, b)), None)
        if b:
            left.remove(b)
        steps.append((a, b))
    return steps + [(None, b) for b in left]


solution.align = align


kir.run(solution.meld)
