#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Dead-store elimination in blocks: a store is removed if a later one overwrites it and no load between them can
read it. An index that differs from that of the store by a constant, or in a constant bit, is another element."""
from hall import kir


def place(address, defined):
    """The base with the size of a step and an offset, and the index without its conversions."""
    inst = defined.get(address)
    if not isinstance(inst, kir.Inst) or inst.op != "ptr_add":
        return (address, ()), None
    index = inst.operands[1]
    while isinstance(defined.get(index), kir.Inst) and defined[index].op in ("sext", "zext"):
        index = defined[index].operands[0]
    return (inst.operands[0], tuple(sorted(inst.attrs.items()))), index


def never_equal(a, b, defined):
    for one, other in ((a, b), (b, a)):
        inst = defined.get(one)
        if isinstance(inst, kir.Inst) and inst.op in ("add", "xor") and inst.operands[0] is other:
            if isinstance(inst.operands[1], kir.Const) and inst.operands[1].bits:
                return True
    return False


def overwritten(store, following, defined):
    at = place(store.operands[0], defined)
    for inst in following:
        if inst.op == "barrier" or kir.EFFECTS.get(inst.op) is None:
            continue  # touches no memory
        if inst.op not in ("load", "store"):
            return False
        other = place(inst.operands[0], defined)
        type = inst.result.type if inst.op == "load" else inst.operands[1].type
        if at[0] != other[0] or type != store.operands[1].type:
            return False
        if inst.op == "store" and at[1] is other[1]:
            return True
        if inst.op == "load" and not never_equal(at[1], other[1], defined):
            return False
    return False


def eliminate(function):
    defined = function.definitions()
    for block in function.blocks:
        block.insts = [inst for n, inst in enumerate(block.insts)
                       if inst.op != "store" or not overwritten(inst, block.insts[n + 1:], defined)]


kir.run(eliminate)
