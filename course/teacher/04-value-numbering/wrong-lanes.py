#!/usr/bin/env python3
"""What a sub-group computes, it says, is the same wherever it is computed."""
import kir
import numbering

may_share = numbering.may_share
numbering.may_share = lambda inst: kir.EFFECTS.get(inst.op) == "cross_lane" or may_share(inst)
kir.run(numbering.number)
