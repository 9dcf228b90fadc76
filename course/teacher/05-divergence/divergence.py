# SPDX-License-Identifier: Apache-2.0
"""Divergence analysis: which values and branches may differ between the lanes of a warp.

After Rosemann, Moll and Hack, "An Abstract Interpretation for SPMD Divergence on Reducible Control Flow Graphs" (2021).
Everything is uniform until a source, an operand, or a divergent branch says otherwise."""
import os
import sys

import kir

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import graphs  # noqa: E402

SOURCES = {"global_id", "local_id", "sub_group_local_id", "scan", "var_get"}


def is_source(inst):
    """Whether its results differ between lanes although its operands may not."""
    if inst.op in SOURCES or kir.EFFECTS.get(inst.op) == "write":  # the results of atomic operations, too
        return True
    return kir.EFFECTS.get(inst.op) == "read" and inst.operands and inst.operands[0].type == "ptr<private>"


class Divergence:
    def __init__(self, function):
        self.function = function
        self.loops = graphs.loops(function)
        self.order = function.reverse_postorder()
        self.successors = {block: block.successors for block in self.order}
        self.paths = {}         # by loop: predecessors, see `predecessors`
        self.edges = {block: [] for block in function.blocks}
        for block in function.blocks:
            for target in block.terminator.targets:
                self.edges[target.block].append(target)
        self.values = set()     # values that differ
        self.branches = set()   # blocks that end in divergent branches
        self.left = []          # loops that lanes leave in different iterations
        self.defined = function.definitions()
        self.block_of = {i: b for b in function.blocks for i in b.insts}
        self.changed = True
        while self.changed:
            self.changed = False
            for block in self.order:
                for inst in block.insts:
                    self.visit(block, inst)

    def differs(self, block, value):
        """Whether lanes that use the value in this block may see different ones."""
        if value in self.values or isinstance(value, (kir.Const, kir.Undef)):
            return value in self.values
        return any(block not in loop.blocks and self.is_in(value, loop) for loop in self.left)

    def is_in(self, value, loop):
        """Whether the loop computes the value."""
        place = self.defined.get(value)
        return self.block_of.get(place, place) in loop.blocks

    def add(self, value):
        if value not in self.values:
            self.values.add(value)
            self.changed = True

    def visit(self, block, inst):
        any_differs = any([self.differs(block, v) for v in inst.operands])
        if is_source(inst) or (any_differs and (kir.EFFECTS.get(inst.op) != "cross_lane" or inst.op == "shuffle")):
            for result in inst.results:
                self.add(result)
        for target in inst.targets:
            for param, arg in zip(target.block.params, target.args):
                if self.differs(block, arg):
                    self.add(param)
        if any_differs and len(inst.targets) > 1 and block not in self.branches:
            self.branches.add(block)
            self.changed = True
            self.part(block)

    def part(self, branch):
        """What a divergent branch makes divergent."""
        joins, labels = self.find_joins(branch)
        for join in joins:
            self.join(join)
        for loop in self.loops:
            if len(loop.entries) > 1:
                if branch in loop.blocks or any(j in loop.blocks for j in joins):
                    self.mix(loop)
            elif branch in loop.blocks and any(
                    e in labels and labels[e] is not labels.get(loop.header) for e in loop.exits):
                self.leave(loop)

    def join(self, block):
        """Lanes come to the block along different paths."""
        for index, param in enumerate(block.params):
            if not self.same_on_all_edges(block, index):
                self.add(param)

    def same_on_all_edges(self, block, index, loop=None):
        """Whether all edges pass one value that this loop does not compute."""
        values = {edge.args[index] for edge in self.edges[block]} - {block.params[index]}
        known = {v for v in values if not isinstance(v, kir.Undef)}
        if not known or (len(known) == 1 and isinstance(next(iter(known)), kir.Const)):
            return True
        return len(values) == 1 and not (loop and self.is_in(next(iter(values)), loop))

    def leave(self, loop):
        """Lanes leave the loop in different iterations, or by different exits."""
        if loop in self.left:
            return
        self.left.append(loop)
        self.changed = True
        for block in loop.exits:
            for index, param in enumerate(block.params):
                if not self.same_on_all_edges(block, index, loop):
                    self.add(param)

    def mix(self, loop):
        """Lanes are at different places of a loop with several entries: nothing in it is the same for all."""
        for block in loop.blocks:
            for value in block.params + [r for i in block.insts for r in i.results]:
                self.add(value)
        self.leave(loop)

    def find_joins(self, branch):
        """The blocks where paths from different targets of the branch meet for the first time, and a label for each block
        that paths lead to: the last place where all its paths have met, or the target that they all begin with."""
        targets = self.successors[branch]
        joins = {t for t in targets if targets.count(t) > 1}
        before = self.predecessors(branch)
        labels = None
        while labels is None:
            labels = labels_from(branch, targets, self.order, before, joins)
        return joins, labels

    def predecessors(self, branch):
        """At the header of a loop around the branch a new iteration begins: from there, paths lead only out of the loop."""
        around = [loop for loop in self.loops if branch in loop.blocks]
        inner = around[-1] if around else None
        if inner not in self.paths:
            exits = {loop.header: loop.exits for loop in around if len(loop.entries) == 1}
            before = self.paths[inner] = {block: [] for block in self.order}
            for block in self.order:
                for following in exits.get(block, self.successors[block]):
                    before[following].append(block)
        return self.paths[inner]


def labels_from(branch, targets, order, before, joins):
    """The labels, given these joins, to which it adds those that it finds. None if a block that has passed on its label
    turns out to be a join: what it has passed on is out of date."""
    labels = {block: block for block in targets}
    changed = True
    while changed:
        changed = False
        for block in order:
            come = {labels[p] for p in before[block] if p in labels and p is not branch}
            if block in targets:
                come.add(block)
            if len(come) > 1 and block not in joins:
                joins.add(block)
                if block in labels and block not in targets:
                    return None
            if come and block not in labels:
                labels[block] = block if block in joins else come.pop()
                changed = True
    return labels
