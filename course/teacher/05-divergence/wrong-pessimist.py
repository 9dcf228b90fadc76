#!/usr/bin/env python3
"""Never wrong, but nothing that goes round in a loop is uniform."""
import json
import sys

import divergence
import kir



def differs(self, block, value):
    place = self.defined.get(value)
    return value in self.values or any(place is loop.header for loop in self.loops) or any(
        self.is_in(value, loop) and block not in loop.blocks for loop in self.left)


divergence.Divergence.differs = differs

found = divergence.Divergence(kir.read().functions[0])
json.dump({"divergent": [block.id for block in found.branches]}, sys.stdout)
