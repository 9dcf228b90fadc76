#!/usr/bin/env python3
"""Loads from one address give all lanes the same, it says, from private memory, too."""
import json
import sys

import divergence
import kir

divergence.is_source = lambda inst: inst.op in divergence.SOURCES or kir.EFFECTS.get(inst.op) == "write"

found = divergence.Divergence(kir.read().functions[0])
json.dump({"divergent": [block.id for block in found.branches]}, sys.stdout)
