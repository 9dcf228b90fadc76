#!/usr/bin/env python3
"""One loop around a switch over block numbers: slow, and work-items come to one barrier in different iterations."""
import kir


def dispatch(function):
    if len(function.blocks) < 2:
        return
    function.demote()
    function.known["vars"].append({"name": "next", "type": "i32"})
    var = len(function.known["vars"]) - 1
    number = {block: n for n, block in enumerate(function.blocks)}

    def constant(n):
        return kir.Const("i32", n)

    head = kir.Block(hint="head")
    latch = kir.Block(hint="latch")
    last = kir.Block(hint="last", insts=[kir.Inst("ret")])
    for block in function.blocks:
        end = block.insts.pop()
        set_next = kir.Builder(block)
        if end.op == "ret":
            value = constant(-1)
        elif end.op == "br":
            value = constant(number[end.targets[0].block])
        elif end.op == "br_if":
            yes, no = (constant(number[t.block]) for t in end.targets)
            value = set_next.make("select", "i32", end.operands[0], yes, no)
        else:
            value = constant(number[end.targets[0].block])
            for case, target in zip(end.operands[1:], end.targets[1:]):
                equal = set_next.make("eq", "i1", end.operands[0], case)
                value = set_next.make("select", "i32", equal, constant(number[target.block]), value)
        set_next.emit("var_set", [value], var=var)
        set_next.br(latch if block is not function.entry else head)
    rest = function.blocks[1:]
    chosen = kir.Builder(head).make("var_get", "i32", var=var)
    if len(rest) == 1:
        kir.Builder(head).br(rest[0])
    else:
        head.insts.append(kir.Inst("switch", [chosen] + [constant(number[b]) for b in rest[1:]],
                                   targets=[kir.Target(b) for b in rest]))
    after = kir.Builder(latch)
    more = after.make("ne", "i1", after.make("var_get", "i32", var=var), constant(-1))
    after.br_if(more, head, last)
    function.blocks[1:1] = [head]
    function.blocks += [latch, last]


kir.run(dispatch)
