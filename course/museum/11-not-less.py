#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Branches are turned so that the arm that comes first in the code is the second target: that one needs no jump.
The condition is negated; the negation of a < b is b <= a."""
from hall import kir

NEGATED = {"slt": "sle", "sle": "slt", "ult": "ule", "ule": "ult", "flt": "fle", "fle": "flt"}


def turn(function):
    at = {block: n for n, block in enumerate(function.blocks)}
    defined = function.definitions()
    for block in function.blocks:
        test = block.terminator
        compare = defined.get(test.operands[0]) if test.op == "br_if" else None
        if not isinstance(compare, kir.Inst) or compare.op not in NEGATED:
            continue
        if at[test.targets[0].block] == at[block] + 1:
            negation = kir.Builder(block, len(block.insts) - 1, compare.loc).make(
                NEGATED[compare.op], "i1", *compare.operands[::-1])
            test.operands = [negation]
            test.targets.reverse()


kir.run(turn)
