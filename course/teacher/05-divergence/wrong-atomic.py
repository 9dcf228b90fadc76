#!/usr/bin/env python3
"""The results of atomic operations on one address are the same in all lanes, it says."""
import json
import sys

import divergence
import kir

is_source = divergence.is_source
divergence.is_source = lambda inst: not inst.op.startswith("atomic_") and is_source(inst)

found = divergence.Divergence(kir.read().functions[0])
json.dump({"divergent": [block.id for block in found.branches]}, sys.stdout)
