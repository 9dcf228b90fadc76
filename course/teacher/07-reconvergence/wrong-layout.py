#!/usr/bin/env python3
"""The blocks stay in the order that they had."""
import kir
import opentree

apply = opentree.apply


def unordered(function, plan):
    before = list(function.blocks)
    apply(function, plan)
    function.blocks = before + [b for b in function.blocks if b not in before]


opentree.apply = unordered
kir.run(opentree.reconverge)
