#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Strength reduction: a division by a power of two becomes a shift, an arithmetic one if the numbers have a sign."""
from hall import kir

SHIFT = {"sdiv": "ashr", "udiv": "lshr"}


def reduce(function):
    for inst in function.insts():
        if inst.op in SHIFT and isinstance(inst.operands[1], kir.Const):
            by = inst.operands[1]
            if by.value > 0 and by.value & (by.value - 1) == 0:
                inst.op = SHIFT[inst.op]
                inst.operands[1] = kir.Const(by.type, by.value.bit_length() - 1)


kir.run(reduce)
