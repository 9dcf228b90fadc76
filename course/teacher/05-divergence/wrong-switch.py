#!/usr/bin/env python3
"""A switch is no branch, it says."""
import json
import sys

import divergence
import kir

visit = divergence.Divergence.visit
divergence.Divergence.visit = lambda self, block, inst: None if inst.op == "switch" else visit(self, block, inst)

found = divergence.Divergence(kir.read().functions[0])
json.dump({"divergent": [block.id for block in found.branches]}, sys.stdout)
