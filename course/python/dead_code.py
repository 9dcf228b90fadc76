#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Dead-code elimination by mark and sweep, an example of a pass:

    kernelc k.cl --emit=ir --passes=mem2reg,exec:course/python/dead_code.py

Live are instructions with effects, and what live instructions use. A parameter of a block is live if something
uses it; then the arguments of all edges to the block are. What is not live is removed.
"""

import kir


def dead_code(f):
    defined = f.definitions()
    edges = {block: f.edges_to(block) for block in f.blocks}
    live = set()
    work = list(f.params)  # of the function: they stay

    def use(value):
        if isinstance(value, kir.Value) and value not in live:
            live.add(value)
            work.append(value)

    for block in f.blocks:
        if block.mask is not None:
            use(block.mask)
        for inst in block.insts:
            if inst.has_effects:
                for value in inst.operands:
                    use(value)
    while work:
        value = work.pop()
        by = defined[value]
        if isinstance(by, kir.Inst):
            for operand in by.operands:
                use(operand)
        elif by is not f.entry:
            index = by.params.index(value)
            for edge in edges[by]:
                use(edge.args[index])

    for block in f.blocks:
        block.insts = [i for i in block.insts if i.has_effects or any(r in live for r in i.results)]
        if block is not f.entry:
            for index in reversed(range(len(block.params))):
                if block.params[index] not in live:
                    f.remove_param(block, index)


if __name__ == "__main__":
    kir.run(dead_code)
