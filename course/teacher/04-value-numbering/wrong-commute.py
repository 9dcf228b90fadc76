#!/usr/bin/env python3
"""The order of operands does not count, of differences, too."""
import kir
import numbering

key_of = numbering.key_of
numbering.key_of = lambda inst, operands: key_of(inst, sorted(operands, key=lambda v: (repr(type(v)), repr(v))))
kir.run(numbering.number)
