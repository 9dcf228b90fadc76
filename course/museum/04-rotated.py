#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Loop rotation: the loop is entered at its body, and tests at its end. What the header computes is copied to the
block before the loop, and the body takes it as parameters."""
from hall import kir, is_pure, loops


def rotate(function):
    for header, inside, entries in list(loops(function)):
        leaving = [b for b in inside if any(s not in inside for s in b.successors)]
        test = header.terminator
        body = next((t for t in test.targets if t.block in inside), None)
        if (len(entries) != 1 or entries[0].terminator.op != "br" or leaving != [header] or test.op != "br_if"
                or len(function.edges_to(body.block)) != 1 or body.block is header or body.block.params
                or not all(is_pure(inst) or inst.op == "load" for inst in header.body)):
            continue
        values = header.params + [r for inst in header.body for r in inst.results]
        before = entries[0]
        here = dict(zip(header.params, before.terminator.targets[0].args))
        jump = before.insts.pop()
        for inst in header.body:
            copy = kir.Builder(before, loc=inst.loc).make(
                inst.op, inst.result.type, *[here.get(v, v) for v in inst.operands], **inst.attrs)
            here[inst.result] = copy
        inside_names = {v: kir.Value(v.type) for v in values}
        body.block.params = list(inside_names.values())
        for block in inside - {header}:
            for inst in block.insts:
                inst.replace_used(inside_names)
        body.args = values
        before.insts.append(kir.Inst("br", targets=[kir.Target(body.block, [here[v] for v in values])], loc=jump.loc))


kir.run(rotate)
