#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Branches that are decided by an earlier branch on the same condition: where the arm of that branch dominates a
second one, the second becomes a jump. The sets of dominators are computed in one sweep in reverse post-order."""
from hall import kir


def dominators(function):
    before = function.predecessors()
    found = {function.entry: {function.entry}}
    for block in function.reverse_postorder()[1:]:
        known = [found[p] for p in before[block] if p in found]
        found[block] = set.intersection(*known) | {block}
    return found


def decide(function):
    above = dominators(function)
    before = function.predecessors()
    known = []  # a block, a condition, its value there
    for block in function.reverse_postorder():
        if block.terminator.op == "br_if":
            for target, value in zip(block.terminator.targets, (True, False)):
                if len(before[target.block]) == 1:
                    known.append((target.block, block.terminator.operands[0], value))
    for block in above:
        if block.terminator.op != "br_if":
            continue
        for arm, condition, value in known:
            if condition is block.terminator.operands[0] and arm in above[block]:
                taken = block.terminator.targets[0 if value else 1]
                block.insts[-1] = kir.Inst("br", targets=[taken], loc=block.terminator.loc)
                break


kir.run(decide)
