#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Loads that repeat an earlier load of the same block are removed. A store to the address of the load ends this."""
from hall import kir


def reuse_loads(function):
    new = {}
    for block in function.blocks:
        loaded = {}  # address and type: the value
        kept = []
        for inst in block.insts:
            inst.operands = [new.get(v, v) for v in inst.operands]
            if inst.op == "load":
                key = (inst.operands[0], inst.result.type)
                if key in loaded:
                    new[inst.result] = loaded[key]
                    continue
                loaded[key] = inst.result
            elif inst.op == "store":
                loaded = {key: value for key, value in loaded.items() if key[0] is not inst.operands[0]}
            elif inst.has_effects:
                loaded = {}
            kept.append(inst)
        block.insts = kept
    function.replace(new)


kir.run(reuse_loads)
