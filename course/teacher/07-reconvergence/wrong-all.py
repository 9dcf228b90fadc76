#!/usr/bin/env python3
"""Every branch is divergent, it says. Right, with more blocks than are needed."""
import kir
import opentree

opentree.divergent_ids = lambda function: {b.id for b in function.blocks if len(b.terminator.targets) > 1}
kir.run(opentree.reconverge)
