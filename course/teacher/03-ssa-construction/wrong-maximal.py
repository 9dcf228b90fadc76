#!/usr/bin/env python3
"""Right, but every block has a parameter for every variable."""
import kir
import ssa


def places(function, idom):
    every = list(range(len(function.known.get("vars", []))))
    return {block: [] if block is function.entry else every for block in function.blocks}


ssa.places = places
ssa.remove_trivial = lambda function: None
kir.run(ssa.promote)
