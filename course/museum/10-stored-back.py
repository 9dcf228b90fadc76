#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""If-conversion: an arm that only computes and then stores becomes straight code. Where its condition is false, the
old value is stored again. The block of the branch must have loaded from the address, so the address is valid."""
from hall import kir, is_pure


def convert(function):
    for block in function.blocks:
        test = block.terminator
        if test.op != "br_if":
            continue
        for arm, other in (test.targets, test.targets[::-1]):
            *pure, store = arm.block.body or [None]
            if (store is None or store.op != "store" or not all(map(is_pure, pure)) or arm.block.params
                    or len(function.edges_to(arm.block)) != 1 or arm.block.successors != [other.block]
                    or arm.block.terminator.targets[0].args or other.args
                    or not any(i.op == "load" and i.operands[0] is store.operands[0] for i in block.insts)):
                continue
            address, value = store.operands
            block.insts[-1:] = pure
            end = kir.Builder(block, loc=store.loc)
            old = end.make("load", value.type, address)
            both = (value, old) if arm is test.targets[0] else (old, value)
            end.emit("store", [address, end.make("select", value.type, test.operands[0], *both)])
            end.br(other.block)
            function.blocks = [b for b in function.blocks if b is not arm.block]
            break


kir.run(convert)
