# SPDX-License-Identifier: Apache-2.0
"""Structured control flow by new blocks that branch on what edges tell them.

After N. Reissmann and others, "Efficient Control Flow Restructuring for GPUs" (2016): loops from the outside inwards get
one entry and one exit, then the arms of each branch one place where they meet."""
import os
import sys

import kir

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import graphs  # noqa: E402

sys.setrecursionlimit(20_000)
END = object()  # where a region is left


class Structurizer:
    def __init__(self, function):
        self.function = function

    def run(self):
        reached = set(self.function.reverse_postorder())
        self.function.blocks = [b for b in self.function.blocks if b in reached]
        self.function.demote()
        self.one_return()
        self.region(set(self.function.blocks), self.function.entry, None, None)

    def one_return(self):
        returns = [b for b in self.function.blocks if b.terminator.op == "ret"]
        if len(returns) < 2:
            return
        last = self.function.add_block("exit")
        last.insts = [kir.Inst("ret")]
        for block in returns:
            block.insts[-1] = kir.Inst("br", targets=[kir.Target(last)])

    def add(self, edges, blocks, hint):
        """Routes the edges through a new block of this region; without need, the block where they lead."""
        if len({edge.block for edge in edges}) == 1:
            return edges[0].block
        block = self.function.route(edges, hint)
        blocks.add(block)
        return block

    def region(self, blocks, entry, head, exiting):
        """Structures blocks that begin with `entry`. Edges to `head`, the header of the loop that they are, and out of
        them lead to its end; those of the block `exiting` out of it do not count."""
        def successors(block):
            return [s for s in block.successors if s in blocks and s is not head]

        order = self.sorted(blocks)
        loops = []
        for component in graphs.components(order, successors):
            if graphs.cyclic(component, successors):
                loops.append(self.loop(component, blocks))
        node = {b: b for b in blocks}
        for inside, start, leaves in loops:
            self.region(inside, start, start, leaves)
            blocks |= inside
            node.update((b, start) for b in inside)
        members = {start: inside for inside, start, _ in loops}
        acyclic = Acyclic(self, blocks, node, members, head, exiting)
        acyclic.walk(node[entry], END)

    def sorted(self, blocks):
        return [b for b in self.function.blocks if b in blocks]

    def edges(self, blocks):
        return [(b, t) for b in self.sorted(blocks) for t in b.terminator.targets]

    def loop(self, inside, around):
        """Gives a loop one entry and one place where it is left or repeated. Returns its blocks, its header, and the
        block whose edges out of it leave it in the middle, if one does."""
        entering = [t for b, t in self.edges(set(self.function.blocks) - inside) if t.block in inside]
        heads = {t.block for t in entering}
        if len(heads) > 1:
            entering += [t for b, t in self.edges(inside) if t.block in heads]
            start = self.function.route(entering, "enter")
            inside.add(start)
        else:
            start = entering[0].block
        around |= inside
        leaving = [(b, t) for b, t in self.edges(inside) if t.block not in inside]
        repeating = [t for b, t in self.edges(inside) if t.block is start]
        if leaving and not self.leaves_in_one_place(inside, start, leaving):
            out = [t for b, t in leaving]
            self.add(out, around, "leave")
            latch = self.function.route(out + repeating, "latch")
            inside.add(latch)
            around.add(latch)
            return inside, start, latch
        return inside, start, leaving[0][0] if leaving else None

    def leaves_in_one_place(self, inside, start, leaving):
        """Whether one block, which each iteration executes, leaves the loop, for one place."""
        block = leaving[0][0]
        if any(b is not block or t.block is not leaving[0][1].block for b, t in leaving):
            return False
        if len({t.block for t in block.terminator.targets}) != 2:
            return False

        def successors(b):
            return [s for s in b.successors if s in inside and s is not start]

        if any(block in c and graphs.cyclic(c, successors) for c in graphs.components([start], successors)):
            return False
        if block is start:
            return True
        seen, work = {start}, [start]
        while work:  # paths around it
            b = work.pop()
            if start in b.successors:
                return False
            for s in b.successors:
                if s in inside and s is not block and s not in seen:
                    seen.add(s)
                    work.append(s)
        return True


class Acyclic:
    """A region whose loops are single nodes."""

    def __init__(self, owner, blocks, node, members, head, exiting):
        self.owner, self.blocks, self.node, self.members = owner, blocks, node, members
        self.head, self.exiting = head, exiting

    def edges(self, n):
        """The edges out of a node, with the nodes that they lead to."""
        inside = self.members.get(n, {n})
        found = []
        for block in self.owner.sorted(inside):
            for t in block.terminator.targets:
                if t.block in inside and n in self.members:
                    continue
                if block is self.exiting and t.block is not self.head and t.block not in self.blocks:
                    continue  # it leaves the loop here
                known = t.block in self.blocks and t.block is not self.head
                found.append((t, self.node[t.block] if known else END))
        return found

    def reach(self, starts, stop):
        seen, work = set(), [s for s in starts if s is not END and s is not stop]
        while work:
            n = work.pop()
            if n in seen:
                continue
            seen.add(n)
            work += [to for _, to in self.edges(n) if to is not END and to is not stop]
        return seen

    def walk(self, n, stop):
        """From a node to where all paths from it meet."""
        while n is not stop and n is not END:
            edges = self.edges(n)
            targets = list(dict.fromkeys(to for _, to in edges))
            if len(targets) < 2:
                n = targets[0] if targets else END
                continue
            n = self.branch(edges, targets, stop)

    def branch(self, edges, targets, stop):
        """Structures the arms, and returns the node where they meet."""
        arms = {}
        for target in targets:
            others = self.reach([t for t in targets if t is not target], stop)
            alone = target is not END and target is not stop and target not in others
            arms[target] = self.reach([target], stop) - others if alone else set()
        ends = [(t, to) for t, to in edges if not arms[to]]
        for target, inside in arms.items():
            for n in sorted(inside, key=lambda n: self.owner.function.blocks.index(n)):
                ends += [(t, to) for t, to in self.edges(n) if to not in inside]
        meeting = self.meet(ends)
        for target, inside in arms.items():
            if inside:
                self.walk(target, meeting)
        return meeting

    def meet(self, ends):
        places = list(dict.fromkeys(to for _, to in ends))
        if len(places) < 2:
            return places[0] if places else END
        block = self.owner.function.route([t for t, _ in ends], "meet")
        self.blocks.add(block)
        self.node[block] = block
        return block


def structurize(function):
    Structurizer(function).run()
