#!/usr/bin/env python3
"""Blocks below an armed block keep their open edges."""
import kir
import opentree

opentree.OpenTree.subtrees = lambda self, roots: sorted(dict.fromkeys(roots), key=lambda n: n.place)
kir.run(opentree.reconverge)
