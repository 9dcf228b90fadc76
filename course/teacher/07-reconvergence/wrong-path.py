#!/usr/bin/env python3
"""Paths to the predecessors of a block stay beside each other: it goes below the one that was taken last."""
import kir
import opentree

opentree.OpenTree.one_path = lambda self, nodes: max(nodes, key=lambda n: n.place)
kir.run(opentree.reconverge)
