#!/usr/bin/env python3
"""Data alone: what a divergent branch does to parameters and loops after it is forgotten."""
import json
import sys

import divergence
import kir

divergence.Divergence.part = lambda self, branch: None

found = divergence.Divergence(kir.read().functions[0])
json.dump({"divergent": [block.id for block in found.branches]}, sys.stdout)
