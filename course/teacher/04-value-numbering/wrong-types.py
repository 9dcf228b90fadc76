#!/usr/bin/env python3
"""Types do not count: all extensions of a value are equal."""
import kir
import numbering

numbering.key_of = lambda inst, operands: (inst.op, tuple(operands), tuple(sorted(inst.attrs.items())))
kir.run(numbering.number)
