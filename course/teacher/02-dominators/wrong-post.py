#!/usr/bin/env python3
"""Post-dominators: the graph is turned round."""
import kir
import tree


def idom(function):
    last = function.reverse_postorder()[-1]
    found = {}
    for block in function.reverse_postorder()[1:]:
        found[block] = block.successors[0] if block.successors else last
    return found


tree.write(idom(kir.read().functions[0]))
