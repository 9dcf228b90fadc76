# SPDX-License-Identifier: Apache-2.0
"""Pruned SSA form: parameters on iterated dominance frontiers where the variable is live, then renaming along the
dominator tree (Cytron and others, 1991)."""
import os
import sys

import kir

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import graphs  # noqa: E402


def reachable_only(function):
    order = set(function.reverse_postorder())
    function.blocks = [block for block in function.blocks if block in order]


def frontiers(function, idom):
    """For each block where its dominance ends: blocks with a predecessor that it dominates, without dominating them."""
    before = function.predecessors()
    frontier = {block: set() for block in function.blocks}
    for block in function.blocks:
        for runner in before[block]:
            while runner is not idom[block] or block is function.entry:
                frontier[runner].add(block)
                if runner is function.entry:
                    break
                runner = idom[runner]
    return frontier


def live_in(function):
    """For each variable the blocks at whose start it may still be read before it is set."""
    reads, writes = {}, {}
    for block in function.blocks:
        for inst in block.insts:
            var = inst.attrs.get("var")
            if inst.op == "var_get" and block not in writes.get(var, ()):
                reads.setdefault(var, set()).add(block)
            elif inst.op == "var_set":
                writes.setdefault(var, set()).add(block)
    before = function.predecessors()
    for var, live in reads.items():
        work = list(live)
        while work:
            for block in before[work.pop()]:
                if block not in live and block not in writes.get(var, ()):
                    live.add(block)
                    work.append(block)
    return reads


def places(function, idom):
    """For each block the variables that get a parameter there."""
    frontier = frontiers(function, idom)
    live = live_in(function)
    wanted = {block: [] for block in function.blocks}
    for var in range(len(function.known.get("vars", []))):
        work = [b for b in function.blocks for i in b.insts if i.op == "var_set" and i.attrs["var"] == var]
        seen = set()
        while work:
            for block in iterated(frontier[work.pop()], seen):
                if block in live.get(var, ()):
                    wanted[block].append(var)
                    work.append(block)
    return wanted


def iterated(frontier, seen):
    """Blocks of the frontier that are new, in their order of numbers."""
    new = sorted(frontier - seen, key=lambda block: block.id)
    seen.update(new)
    return new


def walk(function, idom):
    """Each block after its immediate dominator, with the block whose values it begins with (None: the entry)."""
    for block, above in idom.items():
        yield block, None if block is function.entry else above


def parameter(type):
    return kir.Value(type)


def value_of(values, var, types):
    return values.get(var) or kir.Undef(types[var])


def arguments(block):
    """The edges of the block that need arguments."""
    return block.terminator.targets


def promote(function):
    reachable_only(function)
    types = [v["type"] for v in function.known.get("vars", [])]
    idom = graphs.dominators(function)
    wanted = places(function, idom)
    params = {}
    for block, variables in wanted.items():
        params[block] = {var: parameter(types[var]) for var in variables}
        block.params += params[block].values()
    at_end, new = {}, {}
    for block, above in walk(function, idom):
        values = dict(at_end[above]) if above else {}
        values.update(params[block])
        kept = []
        for inst in block.insts:
            inst.operands = [resolved(new, v) for v in inst.operands]
            if inst.op == "var_get":
                new[inst.result] = value_of(values, inst.attrs["var"], types)
            elif inst.op == "var_set":
                values[inst.attrs["var"]] = inst.operands[0]
            else:
                kept.append(inst)
        block.insts = kept
        at_end[block] = values
    for block in function.blocks:
        for target in block.terminator.targets:
            target.args = [resolved(new, v) for v in target.args]
        for target in arguments(block):
            target.args += [value_of(at_end[block], var, types) for var in wanted[target.block]]
    function.known.pop("vars", None)
    remove_trivial(function)


def resolved(new, value):
    return new.get(value, value)


def remove_trivial(function):
    """Parameters that all edges give one value, or the parameter itself, are that value."""
    changed = True
    while changed:
        changed = False
        edges_to = {block: [] for block in function.blocks}
        for block in function.blocks:
            for target in block.terminator.targets:
                edges_to[target.block].append(target)
        for block in function.blocks[1:]:
            edges = edges_to[block]
            for index in reversed(range(len(block.params))):
                param = block.params[index]
                values = {edge.args[index] for edge in edges} - {param}
                if len(values) == 1 and not isinstance(next(iter(values)), kir.Undef):
                    function.replace({param: values.pop()})
                    function.remove_param(block, index)
                    changed = True
