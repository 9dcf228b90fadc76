#!/usr/bin/env python3
"""One sweep only."""
import kir
import tree


def idom(function):
    number, before = tree.numbers(function), function.predecessors()
    found = {function.entry: function.entry}
    for block in function.reverse_postorder()[1:]:
        new, *others = tree.known(block, before, found)
        for other in others:
            new = tree.meet(new, other, number, found)
        found[block] = new
    del found[function.entry]
    return found


tree.write(idom(kir.read().functions[0]))
