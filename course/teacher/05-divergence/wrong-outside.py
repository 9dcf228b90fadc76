#!/usr/bin/env python3
"""Values after a loop count as divergent only if they are parameters of the block after it."""
import json
import sys

import divergence
import kir

divergence.Divergence.differs = lambda self, block, value: value in self.values

found = divergence.Divergence(kir.read().functions[0])
json.dump({"divergent": [block.id for block in found.branches]}, sys.stdout)
