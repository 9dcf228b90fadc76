#!/usr/bin/env python3
"""Loops keep their entries and exits."""
import kir
import structure


def loop(self, inside, around):
    start = next(t.block for b, t in self.edges(set(self.function.blocks) - inside) if t.block in inside)
    leaving = [b for b, t in self.edges(inside) if t.block not in inside]
    return inside, start, leaving[0] if leaving else None


structure.Structurizer.loop = loop
kir.run(structure.structurize)
