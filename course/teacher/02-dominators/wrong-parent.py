#!/usr/bin/env python3
"""The predecessor through which the block was found first dominates it, it says."""
import kir
import tree


def idom(function):
    found, work = {}, [function.entry]
    while work:
        block = work.pop()
        for following in block.successors:
            if following not in found and following is not function.entry:
                found[following] = block
                work.append(following)
    return found


tree.write(idom(kir.read().functions[0]))
