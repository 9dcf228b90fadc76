#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Waves: a branch that is uniform needs no mask for each lane; the condition of one lane decides for all. A value
differs between lanes if it is computed from the lane's number or from what the lane loaded."""
from hall import kir

LANES = ("lane_id", "global_id", "local_id", "lane_load", "lane_volatile_load", "lane_shuffle")


def differing(function):
    """Values that differ between lanes, and variables that hold such values."""
    values, variables = set(), set()

    def differs(value):
        return value in values

    changed = True
    while changed:
        size = len(values) + len(variables)
        for block in function.blocks:
            for inst in block.insts:
                operands = inst.operands[1:] if inst.op == "blend" else inst.operands  # the first one is a mask
                if (inst.op.startswith(LANES) or any(map(differs, operands))
                        or inst.op == "var_get" and inst.attrs["var"] in variables):
                    values.update(inst.results)
                if inst.op == "var_set" and differs(inst.operands[0]):
                    variables.add(inst.attrs["var"])
                for target in inst.targets:
                    values.update(p for p, v in zip(target.block.params, target.args) if differs(v))
        changed = size != len(values) + len(variables)
    return values


def make_uniform(function):
    differ = differing(function)
    for block in function.blocks:
        for inst in list(block.insts):
            if inst.op == "mask_cond" and inst.operands[1] not in differ:
                mask, condition = inst.operands
                before = kir.Builder(block, block.insts.index(inst), inst.loc)
                inst.op, inst.operands = "mask_if", [mask, before.make("first_lane", "i1", mask, condition)]


kir.run(make_uniform)
