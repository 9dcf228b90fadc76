#!/usr/bin/env python3
"""A predecessor that is not known yet counts as the entry."""
import tree


def known(block, before, found):
    return [p if p in found else next(iter(found)) for p in before[block]]


tree.known = known
tree.main()
