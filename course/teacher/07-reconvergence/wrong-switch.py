#!/usr/bin/env python3
"""A divergent switch stays."""
import kir
import opentree

opentree.expand_switch = lambda function, block: [block]
kir.run(opentree.reconverge)
