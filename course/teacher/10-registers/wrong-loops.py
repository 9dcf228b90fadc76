#!/usr/bin/env python3
"""Liveness in one sweep: what the next iteration of a loop reads is lost."""
import sys

import kir
import solution


def live_out(function):
    live_in = {b: set() for b in function.blocks}
    out = {}
    for block in function.postorder():
        now = set()
        for target in block.terminator.targets:
            now |= live_in[target.block] | solution.needed_at_the_end(target)
        out[block] = set(now)
        for inst in reversed(block.insts):
            now = now - set(inst.results) | set(filter(solution.is_vector, inst.operands))
        live_in[block] = now - set(block.params)
    return out


solution.live_out = live_out


solution.write(*solution.allocate(kir.read().functions[0], *map(int, sys.argv[1:])))
