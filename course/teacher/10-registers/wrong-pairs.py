#!/usr/bin/env python3
"""A pair of registers counts as one."""
import sys

import kir
import solution


solution.size = lambda value: int(value.type[0] == "v")


solution.write(*solution.allocate(kir.read().functions[0], *map(int, sys.argv[1:])))
