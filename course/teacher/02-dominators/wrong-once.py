#!/usr/bin/env python3
"""Cooper, Harvey, Kennedy: A Simple, Fast Dominance Algorithm (2001)."""
import json
import sys

import kir


def idom(function):
    order = function.reverse_postorder()
    number = {block: n for n, block in enumerate(order)}
    before = function.predecessors()
    found = {function.entry: function.entry}

    def meet(a, b):
        while a is not b:
            while number[a] > number[b]:
                a = found[a]
            while number[b] > number[a]:
                b = found[b]
        return a

    changed = True
    if changed:
        for block in order[1:]:
            known = [p for p in before[block] if p in found]
            new = known[0]
            for other in known[1:]:
                new = meet(new, other)
            if found.get(block) is not new:
                found[block] = new
                changed = True
    del found[function.entry]
    return found


function = kir.read().functions[0]
json.dump({"idom": {str(block.id): dominator.id for block, dominator in idom(function).items()}}, sys.stdout)
