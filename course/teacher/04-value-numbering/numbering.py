# SPDX-License-Identifier: Apache-2.0
"""Value numbering over the dominator tree: an instruction without effects is replaced by an equal one that
dominates it. Parameters of blocks that all edges give one value are that value."""
import os
import sys

import kir

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import graphs  # noqa: E402


def tree(function):
    idom = graphs.dominators(function)
    children = {block: [] for block in idom}
    for block, above in idom.items():
        if block is not above:
            children[above].append(block)
    return children


def same_arguments(function):
    for block in function.blocks[1:]:
        edges = function.edges_to(block)
        for index in reversed(range(len(block.params))):
            param = block.params[index]
            values = {edge.args[index] for edge in edges} - {param}
            if len(values) == 1:
                (value,) = values
                if isinstance(value, kir.Undef):
                    continue
                function.replace({param: value})
                function.remove_param(block, index)


def key_of(inst, operands):
    """Equal for instructions that compute the same."""
    return inst.op, inst.result.type, tuple(operands), tuple(sorted(inst.attrs.items()))


def may_share(inst):
    return inst.op not in kir.EFFECTS and len(inst.results) == 1


def begin(above):
    """The table of a block; `above` is that of its immediate dominator."""
    return dict(above)


def number(function):
    same_arguments(function)
    children = tree(function)
    new = {}

    work = [(function.entry, {})]
    while work:
        block, above = work.pop()
        known = begin(above)
        for inst in block.body:
            if not may_share(inst):
                continue
            key = key_of(inst, [new.get(v, v) for v in inst.operands])
            if key in known:
                new[inst.result] = known[key]
            else:
                known[key] = inst.result
        work.extend((child, known) for child in children[block])
    function.replace(new)

