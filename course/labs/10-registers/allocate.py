#!/usr/bin/env python3
"""Vector registers of a gfx900 function: ./allocate.py FIRST LAST <function.json

    {"assign": {"31": 3, "32": 4}, "spill": [40]}

A value of the type v2 takes two registers; its number is that of the first. Every value has a register of its own here,
as long as there are some, and the rest is spilled.
"""
import json
import sys

import kir


def size(value):
    """Registers of a vector value, 0 of others."""
    return int(value.type[1:] or 1) if value.type[0] == "v" else 0


def allocate(function, first, last):
    """A dict from values to their first register, and the values that are spilled."""
    values = [v for b in function.blocks if b is not function.entry for v in b.params if size(v)]
    values += [r for i in function.insts() for r in i.results if size(r)]
    assign, spill, free = {}, [], first
    for v in values:
        if free + size(v) <= last + 1:
            assign[v] = free
            free += size(v)
        else:
            spill.append(v)
    return assign, spill  # yours


if __name__ == "__main__":
    assign, spill = allocate(kir.read().functions[0], *map(int, sys.argv[1:]))
    json.dump({"assign": {str(v.id): r for v, r in assign.items()}, "spill": [v.id for v in spill]}, sys.stdout)
