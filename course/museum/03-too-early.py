#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Loop-invariant code motion: what a loop computes or loads again in each iteration moves to the block before it.
Loads move if nothing in the loop writes memory."""
from hall import kir, is_pure, loops


def hoist(function):
    for header, inside, entries in loops(function):
        if len(entries) != 1 or entries[0].terminator.op != "br":
            continue
        writes = any(inst.has_effects and not inst.is_terminator for block in inside for inst in block.insts)
        own = {value for block in inside for value in block.params}
        own |= {value for block in inside for inst in block.insts for value in inst.results}
        for block in [b for b in function.reverse_postorder() if b in inside]:
            for inst in list(block.insts):
                movable = is_pure(inst) or (inst.op == "load" and not writes)
                if movable and not any(v in own for v in inst.operands if isinstance(v, kir.Value)):
                    block.insts.remove(inst)
                    entries[0].insts.insert(-1, inst)
                    own -= set(inst.results)


kir.run(hoist)
