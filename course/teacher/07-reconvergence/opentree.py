# SPDX-License-Identifier: Apache-2.0
"""Reconvergence by the OpenTree of the poster "Reconverging control flow graphs" (Universität Mainz and AMD).

Blocks are taken one by one. An edge is open until both its ends are taken. The tree holds the taken blocks with open edges;
lanes that part at a block wait below it. A divergent block is armed when one of its edges is closed and another is open."""
import os
import sys

import kir

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[1:1] = [os.path.join(HERE, "..", lab) for lab in ("", "03-ssa-construction", "05-divergence")]
import graphs  # noqa: E402
import ssa  # noqa: E402
from divergence import Divergence  # noqa: E402

sys.setrecursionlimit(20_000)


class Node:
    """A block in the plan."""

    def __init__(self, block=None, kind="block", targets=(), parts=False):
        self.block, self.kind, self.parts = block, kind, parts
        self.targets = list(targets)         # nodes
        self.goals = []                      # where the edges lead in the end; of an edge to a header: its latch
        self.closed = [False] * len(self.targets)
        self.before = []                     # sources of edges, present ones and former ones
        self.children, self.parent = [], None
        self.place = None                    # when it was taken
        self.level = 0

    def open_edges(self):
        return [k for k, closed in enumerate(self.closed) if not closed]

    def armed(self):
        return self.parts and any(self.closed) and not all(self.closed)

    def leads_to(self, other):
        return any(self.targets[k] is other for k in self.open_edges())


def in_order(function):
    """Reverse postorder, with the blocks of each loop together, its header first, and the exit last. And the loops."""
    number = {b: n for n, b in enumerate(function.reverse_postorder())}
    headers = {}

    def expand(blocks, header, order):
        def successors(block):
            return [s for s in block.successors if s in blocks and s is not header]

        for component in reversed(graphs.components(sorted(blocks, key=number.get, reverse=True), successors)):
            if graphs.cyclic(component, successors):
                before = function.predecessors()
                entries = [b for b in component if any(p not in component for p in before[b])]
                inner = min(entries, key=number.get)
                headers[inner] = component
                order.append(inner)
                rest = []
                expand(component, inner, rest)
                order += [b for b in rest if b is not inner]
            else:
                order += component

    order = []
    expand(set(number), None, order)
    order.sort(key=lambda b: not b.terminator.targets)  # stable: only the exit moves
    return order, headers


class OpenTree:
    def __init__(self, function, divergent):
        blocks, headers = in_order(function)
        self.nodes = {b: Node(b, parts=b in divergent) for b in blocks}
        self.order = [self.nodes[b] for b in blocks]
        for b in blocks:
            self.nodes[b].targets = [self.nodes[s] for s in b.successors]
        self.add_latches(blocks, headers)
        self.taken = []
        for node in self.order:
            node.goals = list(node.targets)
            node.closed = [False] * len(node.targets)
            for target in node.targets:
                target.before.append(node)

    def add_latches(self, blocks, headers):
        """Back edges of a loop pass a latch after its last block, where lanes wait for the end of the iteration."""
        place = {b: n for n, b in enumerate(blocks)}
        after = {}
        for header in sorted(headers, key=place.get, reverse=True):  # inner loops end first
            latch = Node(kind="latch", targets=[self.nodes[header]])
            for b in headers[header]:
                node = self.nodes[b]
                node.targets = [latch if t is self.nodes[header] else t for t in node.targets]
            after.setdefault(max(headers[header], key=place.get), []).append(latch)
        self.order = [n for b in blocks for n in [self.nodes[b]] + after.get(b, [])]

    def run(self):
        for node in self.order:
            self.arrive(node)
            self.add(node)
            self.go_back(node)
        self.finish()
        return self.taken

    def subtrees(self, roots):
        """The nodes below these, themselves included, in the order in which they were taken."""
        found = list(dict.fromkeys(roots))
        for node in found:
            found += [c for c in node.children if c not in found]
        return sorted(found, key=lambda n: n.place)

    def arrive(self, node):
        """Lanes that wait at armed nodes for this one wait for all others from there."""
        nodes = self.subtrees([p for p in node.before if p.place is not None and p.armed() and p.leads_to(node)])
        if any(n.targets[k] is not node for n in nodes for k in n.open_edges()):
            self.reroute(nodes)

    def go_back(self, node):
        """Edges from the node to nodes that were taken before it."""
        to = list(dict.fromkeys(t for t in node.targets if t.place is not None))
        if not to:
            return
        nodes = self.subtrees(to)
        for k, target in enumerate(node.targets):
            if target.place is not None:
                self.close(node, k)
        waiting = {n.targets[k] for n in nodes for k in n.open_edges()}
        roots = [s for s in to if not self.below(s, to) and any(n.open_edges() for n in self.subtrees([s]))]
        if len(waiting) > 1 or len(roots) > 1:
            self.reroute(nodes)
        self.drop(to + [node])

    def below(self, node, others):
        above = node.parent
        while above is not None and above not in others:
            above = above.parent
        return above is not None

    def close(self, node, k):
        if node.kind == "flow" and k > 0 and not any(node.closed[:k]):  # the first edge is the one closed first
            node.targets[0], node.targets[k] = node.targets[k], node.targets[0]
            node.closed[k] = node.closed[0]
            k = 0
        node.closed[k] = True

    def attach(self, node, parent):
        if node.parent is not None:
            node.parent.children.remove(node)
        node.parent = parent
        if parent is not None:
            parent.children.append(node)

    def add(self, node):
        """Takes the node: below all its predecessors, which become one path for that."""
        node.place = len(self.taken)
        self.taken.append(node)
        sources = list(dict.fromkeys(
            p for p in node.before if p.place is not None and p is not node and p.leads_to(node)))
        self.attach(node, self.one_path(sources) if sources else None)
        for source in sources:
            while source.leads_to(node):
                self.close(source, next(k for k in source.open_edges() if source.targets[k] is node))
        self.drop(sources)

    def one_path(self, nodes):
        """Merges the paths from the nearest common ancestor to these nodes into one; returns its last node."""
        above = [self.path(n) for n in nodes]
        top = next((a for a in above[0] if all(a in other for other in above)), None)
        row = []
        for path in above:
            new = []
            for n in path:
                if n is top or n in row:
                    break
                new.append(n)
            start = path[len(new)].level if len(new) < len(path) and path[len(new)] is not top else 0
            for distance, n in enumerate(reversed(new)):
                n.level = start + distance + 1
            row += new
        if not row:
            return top
        row.sort(key=lambda n: (not any(c in row for c in n.children), n.level, n.place))
        last = top
        for n in row:
            self.attach(n, last)
            last = n
        return last

    def path(self, node):
        found = []
        while node is not None:
            found.append(node)
            node = node.parent
        return found

    def drop(self, nodes):
        """Nodes without open edges, in and out, leave the tree."""
        for node in nodes:
            if node.open_edges() or any(p.place is None and p.leads_to(node) for p in node.before):
                continue
            for child in list(node.children):
                self.attach(child, node.parent)
            self.attach(node, None)

    def reroute(self, nodes):
        """Sends all open edges of the nodes through a new flow node."""
        targets = list(dict.fromkeys(n.targets[k] for n in nodes for k in n.open_edges()))
        flow = Node(kind="flow", targets=targets, parts=True)
        for target in targets:
            target.before.append(flow)
        for node in nodes:
            rest = node.open_edges()
            for k in rest:
                node.targets[k] = flow
            if rest:
                flow.before.append(node)
            if rest and node.kind == "flow":  # one edge stands for all that are left
                kept = [t for t, closed in zip(node.targets, node.closed) if closed]
                node.targets = kept + [flow]
                node.closed = [True] * len(kept) + [False]
        self.add(flow)

    def finish(self):
        """Removes flow nodes that lead to one place only, and latches where nobody waits."""
        instead = {}

        def resolve():
            for node in self.taken:
                for list_ in (node.targets, node.goals):
                    for k, t in enumerate(list_):
                        while t in instead:
                            t = instead[t]
                        list_[k] = t

        for node in reversed(self.taken):
            if node.kind == "flow":
                node.targets = [instead.get(t, t) for t in node.targets]
                if len(set(node.targets)) == 1:
                    instead[node] = node.targets[0]
        resolve()
        self.taken = [n for n in self.taken if n not in instead]
        place = {n: k for k, n in enumerate(self.taken)}
        waits = set()
        for node in self.taken:
            if node.parts and len(set(node.targets)) > 1:
                waits.add(max(node.targets, key=place.get))
        for node in self.taken:
            if node.kind == "latch" and node not in waits:
                instead[node] = node.targets[0]
        resolve()
        self.taken = [n for n in self.taken if n not in instead]


def apply(function, plan):
    """Makes the plan's control flow. A variable for each flow block says whether a lane goes to its first target."""
    variables = function.known.setdefault("vars", [])
    for node in plan:
        if node.kind == "block":
            continue
        node.block = function.add_block(node.kind)
        if node.kind == "flow":
            variables.append({"name": "first", "type": "i1"})
            node.var = len(variables) - 1
    blocks = []
    for node in plan:
        blocks.append(node.block)
        build = kir.Builder(node.block)
        if node.kind == "latch":
            build.br(node.targets[0].block)
        elif node.kind == "flow":
            build.br_if(build.make("var_get", "i1", var=node.var), *(t.block for t in node.targets))
        else:
            blocks += redirect(function, node)
    function.blocks = blocks


def way(node, k):
    """The flow nodes that an edge passes, and whether each sends it to its first target."""
    at, goal = node.targets[k], node.goals[k]
    found = {}
    while at is not goal and at.kind != "block":
        first = at.kind == "latch" or at.targets[0] is goal
        if at.kind == "flow":
            found[at] = first
        at = at.targets[0] if first else at.targets[1]
    return found


def redirect(function, node):
    """Gives the edges of a block their new targets. Returns blocks that it needs after it."""
    end = node.block.insts[-1]
    ways = [way(node, k) for k in range(len(end.targets))]
    if end.op == "switch" and any(ways):
        between = []
        for k, target in enumerate(end.targets):
            block = function.add_block("edge")
            build = kir.Builder(block)
            for flow, first in ways[k].items():
                build.emit("var_set", [kir.Const("i1", first)], var=flow.var)
            build.br(node.targets[k].block)
            target.block = block
            between.append(block)
        return between
    build = kir.Builder(node.block, index=len(node.block.insts) - 1)
    for flow in dict.fromkeys(f for w in ways for f in w):
        said = [w[flow] for w in ways if flow in w]
        value = kir.Const("i1", said[0])
        if len(set(said)) == 2:
            value = end.operands[0]
            if not said[0]:
                value = build.make("xor", "i1", value, kir.Const("i1", True))
        build.emit("var_set", [value], var=flow.var)
    for k, target in enumerate(end.targets):
        target.block = node.targets[k].block
    if len({t.block for t in end.targets}) == 1 and end.op == "br_if":
        node.block.insts[-1] = kir.Inst("br", targets=end.targets[:1], loc=end.loc)
    return []


def prepare(function):
    """One return; branches with two different targets, or switches."""
    ssa.reachable_only(function)
    function.demote()
    returns = [b for b in function.blocks if b.terminator.op == "ret"]
    if len(returns) > 1:
        last = function.add_block("exit")
        last.insts = [kir.Inst("ret")]
        for block in returns:
            block.insts[-1] = kir.Inst("br", targets=[kir.Target(last)])
    for block in function.blocks:
        if len(set(block.successors)) == 1:
            block.insts[-1] = kir.Inst("br", targets=block.terminator.targets[:1])


def expand_switch(function, block):
    """A switch becomes a chain of comparisons."""
    end = block.insts.pop()
    value, cases, default = end.operands[0], end.operands[1:], end.targets[0]
    function.known["vars"].append({"name": "case", "type": value.type})
    var = len(function.known["vars"]) - 1
    kir.Builder(block).emit("var_set", [value], var=var)
    added = [block]
    for n, (case, target) in enumerate(zip(cases, end.targets[1:])):
        build = kir.Builder(block)
        got = build.make("var_get", value.type, var=var)
        following = default.block
        if n + 1 < len(cases):
            following = function.add_block("case", after=block)
        build.br_if(build.make("eq", "i1", got, case), target.block, following)
        if target.block is following:
            block.insts[-1] = kir.Inst("br", targets=[kir.Target(following)])
        block = following
        added.append(block)
    return added


def divergent_ids(function):
    """Ids of blocks with divergent branches, once it is in SSA form."""
    ssa.promote(function)
    return {b.id for b in Divergence(function).branches}


def restructure(function, divergent):
    for block in list(function.blocks):
        if block.id in divergent and block.terminator.op == "switch":
            divergent = divergent | {b.id for b in number(function, expand_switch(function, block))}
    plan = OpenTree(function, {b for b in function.blocks if b.id in divergent}).run()
    apply(function, plan)


def number(function, blocks):
    """Gives new blocks their ids now."""
    following = max(b.id for b in function.blocks if b.id is not None) + 1
    for block in blocks:
        if block.id is None:
            block.id, following = following, following + 1
    return blocks


def copy_of(function):
    return kir.loads(kir.dumps(kir.Module([function]))).functions[0]


def reconverge(function):
    prepare(function)
    number(function, function.blocks)
    divergent = divergent_ids(copy_of(function))
    while True:  # values that pass flow blocks may differ, and branches on them
        result = copy_of(function)
        restructure(result, divergent)
        number(result, result.blocks)
        known = {b.id for b in function.blocks}
        more = divergent_ids(copy_of(result)) & known
        if more <= divergent:
            return result
        divergent |= more
