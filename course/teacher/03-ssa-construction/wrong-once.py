#!/usr/bin/env python3
"""Does not iterate: the frontiers of blocks with parameters are forgotten."""
import kir
import ssa


def places(function, idom):
    frontier, live = ssa.frontiers(function, idom), ssa.live_in(function)
    wanted = {block: [] for block in function.blocks}
    for var in range(len(function.known.get("vars", []))):
        sets = [b for b in function.blocks for i in b.insts if i.op == "var_set" and i.attrs["var"] == var]
        for block in sorted({f for b in sets for f in frontier[b]} & live.get(var, set()), key=lambda b: b.id):
            wanted[block].append(var)
    return wanted


ssa.places = places
kir.run(ssa.promote)
