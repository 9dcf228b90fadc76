#!/usr/bin/env python3
"""A pass that gives any function structured control flow. So far it gives every function one `ret`.

    PYTHONPATH=../../python kernelc programs/short.cl --emit=ir --passes='mem2reg,simplify_cfg,dce,lower_traps,exec:python3 structurize.py,mem2reg'
"""
import kir


def structurize(function):
    function.demote()  # values pass blocks in variables now: edges can be moved freely
    one_return(function)
    # Loops first, then branches: they are yours.
    #     function.route(edges, "latch")   sends edges through one new block, which branches to where they led


def one_return(function):
    returns = [block for block in function.blocks if block.terminator.op == "ret"]
    if len(returns) > 1:
        last = function.add_block("exit")
        last.insts = [kir.Inst("ret")]
        for block in returns:
            block.insts[-1] = kir.Inst("br", targets=[kir.Target(last)])


if __name__ == "__main__":
    kir.run(structurize)
