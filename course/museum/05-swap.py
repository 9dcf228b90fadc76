#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Out of SSA: each parameter of a block becomes a variable. An edge copies its arguments to the variables of the
block that it leads to, one after the other; an argument that is itself a parameter is read from its variable."""
from hall import kir, new_variable, split


def out_of_ssa(function):
    home = {p: new_variable(function, p.type) for block in function.blocks[1:] for p in block.params}
    for block in list(function.blocks):
        for target in block.terminator.targets:
            if not target.args:
                continue
            place = block if block.terminator.op == "br" else split(function, block, target)
            edge = place.terminator.targets[0]
            copies = kir.Builder(place, len(place.insts) - 1, place.terminator.loc)
            for param, value in zip(edge.block.params, edge.args):
                if value is param:
                    continue
                if value in home:
                    value = copies.make("var_get", value.type, var=home[value])
                copies.emit("var_set", [value], var=home[param])
            edge.args = []
    for block in function.blocks[1:]:
        read = kir.Builder(block, 0)
        new = {p: read.make("var_get", p.type, var=home[p]) for p in block.params}
        block.params = []
        function.replace(new)


kir.run(out_of_ssa)
