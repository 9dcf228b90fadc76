#!/usr/bin/env python3
"""Two atomic operations with equal operands have equal results, it says."""
import kir
import numbering

may_share = numbering.may_share
numbering.may_share = lambda inst: inst.op.startswith("atomic_") or may_share(inst)
kir.run(numbering.number)
