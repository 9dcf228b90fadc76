#!/usr/bin/env python3
"""A block begins with the values of the block before it in the layout, not with those of its dominator."""
import kir
import ssa


def walk(function, idom):
    above = None
    for block in function.blocks:
        yield block, above
        above = block


ssa.walk = walk
kir.run(ssa.promote)
