#!/usr/bin/env python3
"""Reads a function and writes the blocks that end in divergent branches: {"divergent": [1, 3]}."""
import json
import sys

import kir


def divergent(function):
    """Blocks whose branch lanes of one warp may leave by different edges. So far: all branches, which is never wrong."""
    return [block for block in function.blocks if len(block.terminator.targets) > 1]


if __name__ == "__main__":
    function = kir.read().functions[0]
    json.dump({"divergent": [block.id for block in divergent(function)]}, sys.stdout)
