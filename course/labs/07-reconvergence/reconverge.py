#!/usr/bin/env python3
"""A pass that makes lanes reconverge after every divergent branch. So far it gives every function one `ret`, at the end.

    PYTHONPATH=../../python kernelc ../06-structurize/programs/short.cl --emit=ir --passes='mem2reg,simplify_cfg,dce,lower_traps,exec:python3 reconverge.py,mem2reg'
"""
import kir


def reconverge(function):
    function.demote()  # values pass blocks in variables now: edges can be moved freely
    one_return(function)
    order = function.reverse_postorder()
    order.sort(key=lambda block: not block.terminator.targets)  # the exit comes last
    # Take the blocks one by one, in an order that has the blocks of each loop together (this one has not): that is yours.
    function.blocks = order  # the layout must be the order in which blocks were taken, flow blocks included


def one_return(function):
    returns = [block for block in function.blocks if block.terminator.op == "ret"]
    if len(returns) > 1:
        last = function.add_block("exit")
        last.insts = [kir.Inst("ret")]
        for block in returns:
            block.insts[-1] = kir.Inst("br", targets=[kir.Target(last)])


if __name__ == "__main__":
    kir.run(reconverge)
