#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Jump threading: a block compares one of its parameters with a constant and branches. An edge that brings a constant
goes straight to the arm that it decides, if nothing after the block uses what the block computes."""
from hall import kir


def decided(block, args):
    """The target that these arguments decide, or None."""
    test = block.terminator.operands[0]
    compare = next((i for i in block.body if test in i.results), None)
    if compare is None or compare.op not in ("eq", "ne"):
        return None
    left, right = compare.operands
    if left not in block.params or not isinstance(right, kir.Const):
        return None
    given = args[block.params.index(left)]
    if not isinstance(given, kir.Const):
        return None
    return block.terminator.targets[0 if (given == right) == (compare.op == "eq") else 1]


def thread(function):
    uses = function.uses()
    for block in function.blocks[1:]:
        own = block.params + [r for inst in block.insts for r in inst.results]
        if block.terminator.op != "br_if" or any(i not in block.insts for v in own for i in uses.get(v, [])):
            continue
        for edge in function.edges_to(block):
            taken = decided(block, edge.args)
            if taken is not None and taken.block is not block and not any(v in own for v in taken.args):
                edge.block, edge.args = taken.block, list(taken.args)
    reached = set(function.postorder())
    function.blocks = [b for b in function.blocks if b in reached]


kir.run(thread)
