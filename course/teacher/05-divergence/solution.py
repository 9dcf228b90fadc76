#!/usr/bin/env python3
import json
import sys

import kir
from divergence import Divergence

found = Divergence(kir.read().functions[0])
json.dump({"divergent": sorted(block.id for block in found.branches)}, sys.stdout)
