#!/usr/bin/env python3
"""A variable that is set to what was loaded from another one keeps the load, which is gone."""
import kir
import ssa

ssa.resolved = lambda new, value: value
kir.run(ssa.promote)
