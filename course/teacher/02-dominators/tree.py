# SPDX-License-Identifier: Apache-2.0
"""Cooper, Harvey, Kennedy: A Simple, Fast Dominance Algorithm (2001)."""
import json
import sys

import kir


def numbers(function):
    return {block: n for n, block in enumerate(function.reverse_postorder())}


def known(block, before, found):
    """The predecessors that say something yet."""
    return [p for p in before[block] if p in found]


def meet(a, b, number, found):
    """The nearest common ancestor of two blocks."""
    while a is not b:
        while number[a] > number[b]:
            a = found[a]
        while number[b] > number[a]:
            b = found[b]
    return a


def idom(function):
    number = numbers(function)
    before = function.predecessors()
    found = {function.entry: function.entry}
    changed = True
    while changed:
        changed = False
        for block in function.reverse_postorder()[1:]:
            new, *others = known(block, before, found)
            for other in others:
                new = meet(new, other, number, found)
            if found.get(block) is not new:
                found[block] = new
                changed = True
    del found[function.entry]
    return found


def write(found):
    json.dump({"idom": {str(block.id): dominator.id for block, dominator in found.items()}}, sys.stdout)


def main():
    write(idom(kir.read().functions[0]))
