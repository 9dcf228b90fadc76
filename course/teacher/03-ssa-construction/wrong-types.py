#!/usr/bin/env python3
"""All variables have the type i32, it says."""
import kir
import ssa

ssa.parameter = lambda type: kir.Value("i32")
kir.run(ssa.promote)
