#!/usr/bin/env python3
"""Loads that only one arm has are done by all lanes, and diamonds with few pairs are left alone."""
import kir
import solution


def guarded(inst):
    return kir.EFFECTS.get(inst.op) == "write"


saved = solution.saved
solution.guarded = guarded
solution.saved = lambda steps, own: saved(steps, own) - 4
kir.run(solution.meld)
