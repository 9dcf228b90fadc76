#!/usr/bin/env python3
"""Moves edges without a thought for values that pass between blocks."""
import kir
import structure

kir.Function.demote = lambda self: None
kir.run(structure.structurize)
