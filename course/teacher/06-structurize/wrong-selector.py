#!/usr/bin/env python3
"""All edges to a new block tell it the same."""
import kir
import structure

route = kir.Function.route


def same(self, edges, hint=None, after=None):
    block = route(self, edges, hint, after)
    for edge in edges:
        if isinstance(edge.args[0], kir.Const):
            edge.args[0] = kir.Const(edge.args[0].type, 1)
    return block


kir.Function.route = same
kir.run(structure.structurize)
