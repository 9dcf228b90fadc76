#!/usr/bin/env python3
"""A pass that melds the two arms of a branch. It changes nothing yet.

    PYTHONPATH=../../python kernelc programs/diamond.cl --emit=ir --passes='mem2reg,instcombine,simplify_cfg,dce,exec:python3 meld.py,instcombine,simplify_cfg,dce'
"""
import kir


def diamonds(function):
    """Branches whose arms are one block each: (block of the branch, arm if true, arm if false, join)."""
    before = function.predecessors()
    for block in list(function.blocks):
        if block.terminator.op != "br_if":
            continue
        yes, no = block.successors
        arms = (yes, no)
        if yes is no or any(len(before[arm]) != 1 or arm.params or arm.terminator.op != "br" for arm in arms):
            continue
        if yes.successors == no.successors:
            yield block, yes, no, yes.successors[0]


def align(yes, no):
    """Pairs (instruction of one arm, instruction of the other), None where one has no counterpart, in an order that
    keeps that of both arms."""
    return [(inst, None) for inst in yes.body] + [(None, inst) for inst in no.body]  # yours


def meld(function):
    for block, yes, no, join in diamonds(function):
        pass  # yours


if __name__ == "__main__":
    kir.run(meld)
