#!/usr/bin/env python3
"""Renames inside of blocks only: where a block begins with a load, the variable stays."""
import kir


def promote(function):
    new = {}
    for block in function.blocks:
        values, kept = {}, []
        for inst in block.insts:
            inst.replace_used(new)
            if inst.op == "var_get" and inst.attrs["var"] in values:
                new[inst.result] = values[inst.attrs["var"]]
                continue
            if inst.op == "var_set":
                values[inst.attrs["var"]] = inst.operands[0]
            kept.append(inst)
        block.insts = kept
    function.replace(new)


kir.run(promote)
