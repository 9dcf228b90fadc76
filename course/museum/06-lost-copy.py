#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Out of SSA: each parameter of a block becomes a variable, which every use reads. The arguments of an edge are
read together, and written to the variables at the end of the block that the edge comes from."""
from hall import kir, new_variable


def out_of_ssa(function):
    home = {p: new_variable(function, p.type) for block in function.blocks[1:] for p in block.params}
    for block in function.blocks:
        old, block.insts = block.insts, []
        for inst in old:
            read = kir.Builder(block, loc=inst.loc)

            def get(value):
                return read.make("var_get", value.type, var=home[value]) if value in home else value

            inst.operands = [get(v) for v in inst.operands]
            copies = []
            for target in inst.targets:
                copies += [(p, get(v)) for p, v in zip(target.block.params, target.args)]
                target.args = []
            for param, value in copies:
                read.emit("var_set", [value], var=home[param])
            block.insts.append(inst)
    for block in function.blocks[1:]:
        block.params = []


kir.run(out_of_ssa)
